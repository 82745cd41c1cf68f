/**
 * `parlor dev`: serves while an author edits, with a type check after every change and logs for people (CLI-9).
 *
 *   config ──valid──▶ serving ──edit──▶ reloaded, types checked
 *     └──broken──▶ the mistake is printed, waits for a change, tries again
 */
import { watch } from "node:fs"
import { dirname } from "node:path"
import { findConfig } from "@parlor/agent/load"
import { exitCodes } from "../exit-codes.ts"
import { exitCodeOf, explain } from "../explain.ts"
import { serve } from "../serve.ts"
import type { Terminal } from "../terminal.ts"
import { readSettings } from "./settings.ts"
import { typeChecker } from "./type-check.ts"

const SETTLE_MS = 100

export async function dev(given: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const env = { ...given, PARLOR_LOG: given.PARLOR_LOG || "info" }
  const file = findConfig(process.cwd(), env)
  const say = (lines: readonly string[]): void => {
    for (const line of lines) terminal.note(line)
  }
  if (file === undefined)
    say(["There is no parlor.config.ts here: serving the built-in agents. Create one with: parlor init"])
  const check = file === undefined ? () => undefined : typeChecker(file, readSettings(env).dataFolder, say)
  for (;;) {
    check()
    try {
      return await serve(env, terminal, { isLogReadable: true, loaded: check })
    } catch (error) {
      if (file === undefined || exitCodeOf(error) !== exitCodes.usage) throw error
      say([explain(error), "Waiting for a change…"])
      await changed(dirname(file))
    }
  }
}

/** Editors write a file in several steps. */
function changed(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => {
      watcher.close()
      setTimeout(resolve, SETTLE_MS)
    })
  })
}
