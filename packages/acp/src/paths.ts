/** Absolute paths of an agent, and paths of the workspace (HST-15). Pure. */
import { isAbsolute, relative, resolve, sep } from "node:path"

/** Relative to the folder, with slashes; undefined if it is outside. */
export function insideOf(folder: string, path: string): string | undefined {
  const within = relative(folder, resolve(folder, path))
  if (within === "" || within === ".." || within.startsWith(`..${sep}`) || isAbsolute(within)) return undefined
  return within.split(sep).join("/")
}

/** For people: a path outside stays as it is. */
export function shownPath(folder: string, path: string): string {
  return insideOf(folder, path) ?? path
}
