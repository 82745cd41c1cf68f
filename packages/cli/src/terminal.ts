import { once } from "node:events"
import { plainJson } from "./plain.ts"

/** The output of a command. Results go to `out`, everything about them to `note`. */
export type Terminal = {
  readonly isInteractive: boolean
  /** Whether results and errors are lines of JSON (--json). */
  readonly isJson: boolean
  out(text: string): Promise<void>
  note(line: string): void
  /** What a command did: in words to `note`, with --json as a line of JSON to `out`. */
  report(words: string, value: unknown): Promise<void>
  /** Calls back for each Ctrl-C until the returned function is called. */
  onInterrupt(run: () => void): () => void
}

export function processTerminal(isJson: () => boolean): Terminal {
  // The reader of the output has closed it (`| head`): exit without an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
  const out = async (text: string): Promise<void> => {
    if (!process.stdout.write(text)) await once(process.stdout, "drain")
  }
  const note = (line: string): void => {
    process.stderr.write(`${line}\n`)
  }
  return {
    isInteractive: process.stdout.isTTY === true,
    get isJson() {
      return isJson()
    },
    out,
    note,
    async report(words, value) {
      if (isJson()) await out(`${plainJson(JSON.stringify(value))}\n`)
      else note(words)
    },
    onInterrupt(run) {
      process.on("SIGINT", run)
      return () => process.off("SIGINT", run)
    },
  }
}
