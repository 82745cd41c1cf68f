/** Runs the `parlor` command in a process of its own. */
import { spawn } from "node:child_process"
import { bundledBin } from "../support/bundle.ts"

export type Ran = { readonly code: number | null; readonly out: string; readonly notes: string }

export async function parlor(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(process.execPath, [await bundledBin(), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let out = ""
  let notes = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    notes += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  return { code, out, notes }
}
