/** Asks for a secret at the terminal without showing what is typed. */
import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"

export async function askHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt)
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question("")
  } finally {
    lines.close()
    process.stderr.write("\n")
  }
}
