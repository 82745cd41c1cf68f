/**
 * What is mutated, by folder, and the tests that are run against it: those that need nothing but this process. Of the
 * folders of core, a module counts that waits for nothing or has its test beside it; what drives a store is judged by the
 * contract suites and the tests over HTTP, which are too slow to run once per mutant.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

export const root = join(fileURLToPath(new URL(".", import.meta.url)), "..", "..")

const CORE = [
  "branch",
  "compaction",
  "composer",
  "context",
  "guest",
  "memory",
  "queue",
  "rate",
  "rollback",
  "schedule",
  "slash-command",
  "text",
  "usage",
]

/** Folders whose score is reported, in this order. */
export const FOLDERS: readonly string[] = [
  ...CORE.map((folder) => `packages/core/src/${folder}`),
  "packages/protocol/src",
  "packages/client/src",
  "packages/adapters/src",
]

/** The state that the client keeps; its other files are one call each. */
const CLIENT_STATE =
  /^packages\/client\/src\/(live\/|(compose|conversation|follow|lease|place|repeat|sse|timing|upload)\.ts$)/

/** The table of routes says what the tests over HTTP go by; what is in `testing` is tests. */
const DECLARATIONS = /^packages\/protocol\/src\/(routes\/|routes\.ts$|endpoints\.ts$|testing\/)/

const TESTED_BY = [
  "packages/adapters/src",
  "packages/agent/src",
  "packages/client/src",
  "packages/core/src",
  "packages/protocol/src",
  "packages/testing/src",
  "test/scenario",
]

const TEST = /\.test\.ts$/
const WAITS = /\bawait\b|\bPromise</

export function sources(): string[] {
  return FOLDERS.flatMap((folder) => filesUnder(folder).filter((file) => isMutated(file)))
}

function isMutated(file: string): boolean {
  if (!file.endsWith(".ts") || TEST.test(file)) return false
  if (file.startsWith("packages/client/")) return CLIENT_STATE.test(file)
  if (!file.startsWith("packages/core/")) return !DECLARATIONS.test(file)
  return (
    existsSync(join(root, file.replace(/\.ts$/, ".test.ts"))) || !WAITS.test(readFileSync(join(root, file), "utf8"))
  )
}

export function testFiles(): string[] {
  return TESTED_BY.flatMap((folder) => filesUnder(folder).filter((file) => TEST.test(file)))
}

/** The folder a file's mutants are counted in. */
export function folderOf(file: string): string {
  return FOLDERS.find((folder) => file.startsWith(`${folder}/`)) ?? file
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()
}
