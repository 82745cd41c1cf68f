/** The text of a memory from an editor, a file, or standard input. */
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text as readAll } from "node:stream/consumers"
import { Complaint } from "./complaint.ts"

/** What the person saved. If it is not valid, the file is kept, so that nothing typed is lost. */
export async function textFromEditor(name: string, source: string, check: (text: string) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-memory-"))
  const file = join(folder, name)
  await writeFile(file, source, { mode: 0o600 })
  let text = source
  try {
    await runEditor(file).finally(async () => {
      text = await readFile(file, "utf8").catch(() => source)
    })
    check(text)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const where = text === source ? "" : ` Your text is in ${file}. Fix it and pass --file "${file}".`
    if (text === source) await rm(folder, { recursive: true, force: true })
    throw new Complaint(`${words}\nNothing was changed.${where}`)
  }
  await rm(folder, { recursive: true, force: true })
  return text
}

export async function readInput(file: string): Promise<string> {
  if (file === "-") return readAll(process.stdin)
  try {
    return await readFile(file, "utf8")
  } catch (error) {
    throw new Complaint(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function runEditor(file: string): Promise<void> {
  const editor = process.env.VISUAL || process.env.EDITOR || (process.platform === "win32" ? "notepad" : "vi")
  return new Promise((resolve, reject) => {
    // Through a shell, because $EDITOR may have arguments, as in "code --wait".
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
    child.on("error", (error) => reject(new Complaint(`The editor ${editor} cannot be started: ${error.message}`)))
    child.on("exit", (code) => {
      if (code === 0) resolve()
      else reject(new Complaint(`The editor ${editor} exited with ${code ?? "a signal"}.`))
    })
  })
}
