/**
 * The mutated folders, and the tests to run against them: those that need only this process. In core, a module is mutated
 * if it is synchronous or has a test next to it. Code that drives a store is covered by the contract suites and the tests
 * over HTTP, which are too slow to run once per mutant.
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

/** The client files that keep state; each of the others is a single call. */
const CLIENT_STATE =
  /^packages\/client\/src\/(live\/|(compose|conversation|follow|lease|place|repeat|sse|timing|upload)\.ts$)/

/** Declarations that the tests over HTTP cover, and test code. */
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

/** The folder to which a file's mutants are counted. */
export function folderOf(file: string): string {
  return FOLDERS.find((folder) => file.startsWith(`${folder}/`)) ?? file
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()
}
