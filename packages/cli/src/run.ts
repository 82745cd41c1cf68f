/**
 * Runs one command line. `parlor serve`, which has no arguments, starts without the parser: describing every command to it
 * takes longer than opening the store.
 */
import { exitCodes } from "./exit-codes.ts"
import type { ConnectionOptions } from "./settings.ts"
import { processTerminal, type Terminal } from "./terminal.ts"

type CommonOptions = ConnectionOptions & { readonly json?: boolean }

/** Returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let options: CommonOptions = {}
  const terminal = processTerminal(() => options.json === true)
  try {
    if (isServe(argv)) {
      await (await import("./serve.ts")).serve(process.env, terminal)
      return exitCodes.done
    }
    const { runCommand } = await import("./program.ts")
    return await runCommand(argv, terminal, (parsed) => {
      options = parsed
    })
  } catch (error) {
    const { errorJson, exitCodeOf, explain, isUnknownAgent } = await import("./explain.ts")
    terminal.note(terminal.isJson ? JSON.stringify({ error: errorJson(error) }) : explain(error))
    if (isUnknownAgent(error)) await noteReason(options, terminal)
    return exitCodeOf(error)
  }
}

/** `npx parlor` alone starts a server (OPS-2). */
function isServe([, , command = "serve", ...rest]: readonly string[]): boolean {
  return command === "serve" && rest.length === 0
}

/** An agent may be unknown because of a mistake in the config (CLI-8). */
async function noteReason(options: ConnectionOptions, terminal: Terminal): Promise<void> {
  const [{ noteConfig }, { connect }] = await Promise.all([import("./config-notes.ts"), import("./settings.ts")])
  await noteConfig(connect(options), terminal)
}
