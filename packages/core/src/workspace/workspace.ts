/** The operations of a workspace, bound to a conversation and an actor (WSP-2). */
import { type FileRow, limits, Refusal, type StreamId } from "@parlor/protocol"
import type { TextEdit, WorkspaceAccess, WriteOptions } from "../agent/workspace-access.ts"
import { checkBytes } from "../quota/quota.ts"
import { type Actor, changeFiles, checkWas, type Wanted } from "./change.ts"
import { decodeText, keepContent } from "./content.ts"
import type { FileAccess } from "./file-access.ts"
import { listFiles, readFile, unknownFile } from "./look.ts"
import { checkPath } from "./path.ts"
import { tooLarge } from "./plan.ts"
import { searchFiles } from "./search.ts"
import { editText } from "./text-edits.ts"

/** Somebody may write between reading a text and writing it edited: then it is read again. */
const EDIT_TRIES = 5

/** Whose files, and on whose behalf. */
type Work = { readonly node: FileAccess; readonly stream: StreamId; readonly actor: Actor }

export function workspaceOf(node: FileAccess, stream: StreamId, actor: Actor): WorkspaceAccess {
  const work = { node, stream, actor }
  return {
    list: () => listFiles(node, stream),
    read: (path) => readFile(node, stream, path),
    write: (path, content, options) => write(work, path, content, options),
    edit: (path, edits) => edit(work, path, edits),
    delete: (path, options) => remove(work, path, options),
    move: (from, to) => move(work, from, to),
    search: (text, options) => searchFiles(node, stream, text, options),
  }
}

async function write(
  work: Work,
  path: string,
  content: string | Uint8Array,
  { was }: WriteOptions = {},
): Promise<FileRow> {
  checkPath(path)
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  if (bytes.length > limits.fileBytes) throw tooLarge(path, bytes.length)
  await checkBytes(work.node, work.actor.person, bytes.length)
  const after = await keepContent(work.node, work.stream, bytes)
  return changed(work, path, {
    paths: [path],
    contents: new Map([[after.hash, bytes]]),
    edits: (now) => {
      checkWas(path, now(path), was)
      return [{ path, after }]
    },
  })
}

async function edit(work: Work, path: string, edits: readonly TextEdit[]): Promise<FileRow> {
  for (let tries = 1; ; tries++) {
    const { content, hash } = await readFile(work.node, work.stream, path)
    const text = decodeText(content)
    if (text === undefined) throw new Refusal("file.not-text", `${path} is not text.`)
    try {
      return await write(work, path, editText(path, text, edits), { was: hash })
    } catch (error) {
      const isMoved = error instanceof Refusal && error.code === "file.changed"
      if (!isMoved || tries >= EDIT_TRIES) throw error
    }
  }
}

async function remove(work: Work, path: string, { was }: WriteOptions = {}): Promise<void> {
  checkPath(path)
  await changeFiles(work.node, work.stream, work.actor, {
    paths: [path],
    edits: (now) => {
      const before = now(path)
      if (before === undefined) throw unknownFile(path)
      checkWas(path, before, was)
      return [{ path, after: null }]
    },
  })
}

async function move(work: Work, from: string, to: string): Promise<FileRow> {
  checkPath(from)
  checkPath(to)
  if (from === to) throw new Refusal("file.exists", `${to} is already its path.`)
  return changed(work, to, {
    paths: [from, to],
    edits: (now) => {
      const { hash, bytes } = now(from) ?? fail(unknownFile(from))
      checkWas(to, now(to), null)
      return [
        { path: from, after: null },
        { path: to, after: { hash, bytes } },
      ]
    },
  })
}

async function changed(work: Work, path: string, wanted: Wanted): Promise<FileRow> {
  const rows = await changeFiles(work.node, work.stream, work.actor, wanted)
  return rows.get(path) ?? fail(unknownFile(path))
}

function fail(refusal: Refusal): never {
  throw refusal
}
