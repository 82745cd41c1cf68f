/** Describes a config error in one line that begins with the file and the line number. Pure. */
import { isAbsolute, relative } from "node:path"

/** The column is dropped: it refers to the transpiled line and does not help the author. */
const PLACE = /:(\d+):\d+\)?$/

/** `files`: the config and its imports; the first stack frame in one of them is reported. */
export function explainBroken(error: unknown, file: string, files: readonly string[], cwd = process.cwd()): string {
  if (!(error instanceof Error)) return `${shown(file, cwd)}: ${String(error)}`
  const [first = "", ...more] = error.message.split("\n")
  const said = first.replace(/^ParseError:\s*/, "").trim() || error.name
  const lines = [...more, ...(error.stack ?? "").split("\n").slice(1)].map((line) => line.trim())
  for (const line of lines) {
    const found = files.find((one) => line.includes(one))
    if (found === undefined) continue
    const [, row] = PLACE.exec(line) ?? []
    const place = row === undefined ? "" : `:${row}`
    return `${shown(found, cwd)}${place}: ${said}`
  }
  return `${shown(file, cwd)}: ${said}`
}

function shown(file: string, cwd: string): string {
  const path = relative(cwd, file)
  return path === "" || path.startsWith("..") || isAbsolute(path) ? file : path
}
