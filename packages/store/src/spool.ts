/**
 * Appends the store could not accept, one per line, on disk before `add` resolves (LOG-12).
 *
 * A line truncated by a crash was never acknowledged: reading stops before it, and adding starts a new line.
 */
import { type FileHandle, open, readFile, stat } from "node:fs/promises"
import { dirname } from "node:path"
import type { Append, RowChange, Spool } from "@parlor/core"
import { collectionName } from "./collection-name.ts"
import { privateFile } from "./private-files.ts"

export function openSpool(path: string): Spool {
  // One operation at a time, in order.
  let last: Promise<unknown> = Promise.resolve()
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  return {
    add: (batch) => inOrder(() => add(path, batch)),
    read: () => inOrder(() => read(path)),
    clear: () => inOrder(() => clear(path)),
  }
}

async function add(path: string, batch: readonly Append[]): Promise<void> {
  if (batch.length === 0) return
  const isNew = !(await exists(path))
  privateFile(path)
  await withFile(path, "a+", async (file) => {
    const torn = await endsTorn(file)
    const lines = batch.map((append) => `${JSON.stringify(append)}\n`).join("")
    await file.appendFile(torn ? `\n${lines}` : lines)
    await file.sync()
  })
  if (isNew) await withFile(dirname(path), "r", (folder) => folder.sync())
}

async function read(path: string): Promise<readonly Append[]> {
  if (!(await exists(path))) return []
  const text = await readFile(path, "utf8")
  return text.split("\n").flatMap((line) => {
    const append = parseLine(line)
    return append === undefined ? [] : [append]
  })
}

async function clear(path: string): Promise<void> {
  if (!(await exists(path))) return
  await withFile(path, "r+", async (file) => {
    await file.truncate(0)
    await file.sync()
  })
}

function parseLine(line: string): Append | undefined {
  if (line === "") return undefined
  try {
    return withCurrentNames(JSON.parse(line) as Append)
  } catch {
    return undefined
  }
}

/** A line may have been written before a collection was renamed. */
function withCurrentNames(append: Append): Append {
  const changes = append.changes.map((change) => {
    const collection = collectionName(change.collection) as RowChange["collection"]
    return collection === change.collection ? change : { ...change, collection }
  })
  return { ...append, changes }
}

async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== 0x0a
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
