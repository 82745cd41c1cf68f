/** Programs of `test/node22`: clients that need Node 22. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { inject } from "vitest"
import { askDoor } from "./door.ts"
import { NODE22_FOLDER } from "./install-node22.ts"

/** For a first installation on a slow network. */
export const NODE22_TIMEOUT_MS = 300_000

/** Runs a program of `test/node22` on Node 22, connected by `send` and `message`. */
export async function spawnNode22(program: string): Promise<ChildProcess> {
  const node = await askDoor(inject("testRunDoor"), "node22")
  return spawn(node, ["--disable-warning=ExperimentalWarning", join(NODE22_FOLDER, program)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
}
