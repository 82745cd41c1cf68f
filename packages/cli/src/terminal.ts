import { once } from "node:events"

/** The output of a command. Results go to `out`, everything about them to `note`. */
export type Terminal = {
  readonly isInteractive: boolean
  out(text: string): Promise<void>
  note(line: string): void
  /** Calls back for each Ctrl-C until the returned function is called. */
  onInterrupt(run: () => void): () => void
}

export function processTerminal(): Terminal {
  // The reader of the output has closed it (`| head`): exit without an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
  return {
    isInteractive: process.stdout.isTTY === true,
    async out(text) {
      if (!process.stdout.write(text)) await once(process.stdout, "drain")
    },
    note(line) {
      process.stderr.write(`${line}\n`)
    },
    onInterrupt(run) {
      process.on("SIGINT", run)
      return () => process.off("SIGINT", run)
    },
  }
}
