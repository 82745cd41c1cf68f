/**
 * The files of a git repository that are not ignored, by git itself (WSP-9).
 *
 * Nothing that the repository configures is run: no hooks, no file system monitor.
 */
import { execFile } from "node:child_process"

const MAX_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 20_000
const SETTINGS = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.directory=*", "core.untrackedCache=false"]

/** Undefined if the folder is not in a repository, or git cannot say. */
export function gitFiles(folder: string): Promise<readonly string[] | undefined> {
  const settings = SETTINGS.flatMap((setting) => ["-c", setting])
  const args = [
    ...settings,
    "-C",
    folder,
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    "--deduplicate",
  ]
  const env = {
    PATH: process.env.PATH ?? "",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    HOME: "/nonexistent",
  }
  return new Promise((resolve) => {
    execFile("git", args, { env, maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS, encoding: "utf8" }, (error, stdout) => {
      resolve(error === null ? stdout.split("\0").filter((path) => path !== "") : undefined)
    })
  })
}
