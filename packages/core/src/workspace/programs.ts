/**
 * Files that other programs write in the working copy: a hosted agent edits them without asking Parlor (HST-9).
 *
 *   checkOut ──▶ the disk has every file as its row says ──▶ programs work ──▶ checkIn ──▶ rows say what the disk has
 *
 * Before the programs start, edits by hand are recorded as such. Afterwards every difference is theirs, and a missing
 * file was deleted. Files are never rewritten while they work: some programs check the time of a file they have read.
 */
import { type FileRow, limits, Refusal, type StreamId } from "@parlor/protocol"
import type { DiskFile, Folder, Place } from "../ports/files.ts"
import { checkBytes } from "../quota/quota.ts"
import { alone } from "./alone.ts"
import { takeBaseline, tooManyFiles } from "./baseline.ts"
import { type Actor, blobOf, decideFiles } from "./change.ts"
import { keepContent, type Version } from "./content.ts"
import { adopt, folderOf, look, putOnDisk, reasonOf, takeOffDisk } from "./disk.ts"
import type { FileAccess } from "./file-access.ts"
import { allRows } from "./look.ts"
import { pathDefect } from "./path.ts"
import { BY_HAND } from "./plan.ts"

/** What programs install or keep for themselves is not part of the workspace. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", "__pycache__"])
/** Recorded in one append. */
const AT_ONCE = 200
const SEEN_WORKSPACES = 200
/** Named in a note about files that could not be recorded. */
const NAMED = 5

export type CheckedIn = {
  readonly recorded: number
  /** Files that are not recorded, and why: such a file is not restored by a rollback. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

/** Undefined if the server has no disk for files. */
export function checkOut(node: FileAccess, stream: StreamId, actor: Actor): Promise<Place | undefined> {
  return alone(node, stream, async () => {
    const folder = await folderOf(node, stream)
    if (node.files === undefined || folder === undefined) return undefined
    const place = await node.files.place(folder)
    const listed = await list(node, folder)
    const rows = await allRows(node, stream)
    const hands = new Map<string, Version>()
    const seen = seenOf(node, stream)
    const isReal = folder.real !== undefined
    if (isReal && !listed.isWhole) throw tooManyFiles()
    for (const file of listed.files) {
      const row = rows.get(file.path)
      if (isReal && row === undefined) continue
      if (isSeen(seen, file, row) || pathDefect(file.path) !== undefined) continue
      const disk = await look(node, folder, file.path, row)
      if (disk.kind === "same" && row !== undefined) note(seen, file, row)
      if (disk.kind === "stale" && row === undefined) await takeOffDisk(node, folder, file.path)
      if (disk.kind === "stale" && row !== undefined) await putOnDisk(node, folder, row, await blobOf(node, row.hash))
      if (disk.kind === "hand" && !disk.linked && disk.content !== null)
        hands.set(file.path, await keepContent(node, stream, disk.content))
    }
    const missing = missingFrom(listed, rows)
    if (isReal) {
      // What is missing there was deleted by hand.
      const gone = missing.map(({ path }) => ({ path, after: null }))
      await recordHands(node, stream, actor, hands, gone)
      const unknown = listed.files.filter(({ path }) => !rows.has(path))
      await takeBaseline(node, stream, folder, unknown)
      return place
    }
    for (const row of missing) await putOnDisk(node, folder, row, await blobOf(node, row.hash))
    await recordHands(node, stream, actor, hands, [])
    return place
  })
}

/** Records what differs from the rows as changes of the actor. Disk failures are logged: the next call finds it all. */
export function checkIn(node: FileAccess, stream: StreamId, actor: Actor): Promise<CheckedIn> {
  return alone(node, stream, async () => {
    const folder = await folderOf(node, stream)
    const nothing: CheckedIn = { recorded: 0, left: [] }
    if (node.files === undefined || folder === undefined) return nothing
    try {
      return await record(node, stream, actor, folder)
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === undefined || error instanceof Refusal) throw error
      node.log.warn("the disk cannot be read", { agent: folder.agent, reason: reasonOf(error) })
      return nothing
    }
  })
}

/** A sentence for the person about files that were not recorded. */
export function leftNote({ left }: CheckedIn): string | undefined {
  if (left.length === 0) return undefined
  const names = left.slice(0, NAMED).map(({ path, why }) => `${path} (${why})`)
  const others = left.length > NAMED ? ` and ${left.length - NAMED} more` : ""
  return `Not recorded, so a rollback will not restore it: ${names.join(", ")}${others}.`
}

type Difference = { readonly path: string; readonly after: Version | null; readonly file: DiskFile | undefined }

async function record(node: FileAccess, stream: StreamId, actor: Actor, folder: Folder): Promise<CheckedIn> {
  const rows = await allRows(node, stream)
  const listed = await list(node, folder)
  const seen = seenOf(node, stream)
  const isReal = folder.real !== undefined
  const baseline = isReal ? node.workspaces.baselines.get(stream) : undefined
  // Nothing is known about the folder before the programs, after a restart for example: it is all taken as it is.
  if (isReal && baseline === undefined) {
    const unknown = listed.files.filter(({ path }) => !rows.has(path))
    await takeBaseline(node, stream, folder, unknown)
  }
  const found: Difference[] = []
  const left: { path: string; why: string }[] = []
  for (const file of listed.files) {
    const row = rows.get(file.path)
    const before = row === undefined ? node.workspaces.baselines.get(stream)?.get(file.path) : undefined
    if (isSeen(seen, file, row) || (isReal && row === undefined && isAsBefore(file, before))) continue
    const defect = pathDefect(file.path)
    const known = row ?? before
    const after = defect === undefined ? await contentAt(node, stream, actor, folder, file, row, known) : defect
    if (typeof after === "string") left.push({ path: file.path, why: after })
    else if (after !== undefined) found.push({ path: file.path, after, file })
    // Noted with the stamp from before it was read: a later write has another one.
    else if (row !== undefined) note(seen, file, row)
    else if (before !== undefined)
      node.workspaces.baselines.get(stream)?.set(file.path, { ...before, stamp: file.stamp })
  }
  if (listed.isWhole) {
    for (const { path } of missingFrom(listed, rows)) found.push({ path, after: null, file: undefined })
    const there = new Set(listed.files.map(({ path }) => path))
    for (const path of baseline?.keys() ?? [])
      if (!there.has(path) && !rows.has(path)) found.push({ path, after: null, file: undefined })
  } else left.push({ path: "further files", why: `a workspace has at most ${limits.workspaceFiles}` })
  let recorded = 0
  for (let start = 0; start < found.length; start += AT_ONCE) {
    const refused = await write(node, stream, actor, folder, found.slice(start, start + AT_ONCE))
    left.push(...refused)
    recorded += Math.min(AT_ONCE, found.length - start) - refused.length
  }
  return { recorded, left }
}

/** Undefined if that is known; a string says why it cannot be recorded. */
async function contentAt(
  node: FileAccess,
  stream: StreamId,
  { person }: Actor,
  folder: Folder,
  { path }: DiskFile,
  row: FileRow | undefined,
  known: Version | undefined,
): Promise<Version | string | undefined> {
  const disk = await look(node, folder, path, row)
  if (disk.kind !== "hand" || disk.linked || (known !== undefined && disk.hash === known.hash)) return undefined
  if (disk.content === null) return `larger than ${limits.fileBytes} bytes`
  try {
    await checkBytes(node, person, disk.bytes)
  } catch (error) {
    if (error instanceof Refusal) return "your storage is full"
    throw error
  }
  return keepContent(node, stream, disk.content)
}

/** All in one append; if something is refused, one by one, so that only what is refused is left out. */
async function write(
  node: FileAccess,
  stream: StreamId,
  actor: Actor,
  folder: Folder,
  found: readonly Difference[],
): Promise<readonly { readonly path: string; readonly why: string }[]> {
  try {
    await decideFiles(node, stream, actor, wanted(found), originalsOf(node, stream, folder, found))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (found.length === 1) return found.map(({ path }) => ({ path, why: error.message }))
    const refused: { path: string; why: string }[] = []
    for (const one of found) refused.push(...(await write(node, stream, actor, folder, [one])))
    return refused
  }
  const seen = seenOf(node, stream)
  await adopt(
    node,
    folder,
    found.map(({ path, after }) => [path, after]),
  )
  for (const { path, after, file } of found) {
    node.workspaces.baselines.get(stream)?.delete(path)
    if (file === undefined || after === null) seen.delete(path)
    else note(seen, file, after)
  }
  return []
}

function wanted(found: readonly Difference[]) {
  return { paths: found.map(({ path }) => path), edits: () => found.map(({ path, after }) => ({ path, after })) }
}

async function recordHands(
  node: FileAccess,
  stream: StreamId,
  actor: Actor,
  hands: ReadonlyMap<string, Version>,
  gone: readonly { readonly path: string; readonly after: null }[],
): Promise<void> {
  if (hands.size === 0 && gone.length === 0) return
  const byHand = { ...actor, by: BY_HAND, turn: null }
  try {
    await decideFiles(node, stream, byHand, { paths: gone.map(({ path }) => path), edits: () => gone }, hands)
    await adopt(node, await folderOf(node, stream), hands)
  } catch (error) {
    // What a person put there and cannot be recorded stays as it is.
    if (!(error instanceof Refusal)) throw error
    node.log.warn("edits by hand were not recorded", { reason: error.code })
  }
}

/** Files that Parlor had not touched, and that a program changed: as they were before, recorded first. */
function originalsOf(
  { workspaces }: FileAccess,
  stream: StreamId,
  folder: Folder,
  found: readonly Difference[],
): ReadonlyMap<string, Version> {
  const originals = new Map<string, Version>()
  const baseline = folder.real === undefined ? undefined : workspaces.baselines.get(stream)
  for (const { path } of found) {
    const before = baseline?.get(path)
    if (before !== undefined) originals.set(path, { hash: before.hash, bytes: before.bytes })
  }
  return originals
}

/** A file without a row that no program has changed. One that was too large to be stored counts as such. */
function isAsBefore(file: DiskFile, before: { readonly stamp: string | undefined } | undefined): boolean {
  if (before === undefined) return file.bytes > limits.fileBytes
  return file.stamp !== undefined && before.stamp === file.stamp
}

function missingFrom({ files, isWhole }: Listed, rows: ReadonlyMap<string, FileRow>): readonly FileRow[] {
  if (!isWhole) return []
  const there = new Set(files.map(({ path }) => path))
  return [...rows.values()].filter(({ path }) => !there.has(path) && !isSkipped(path))
}

type Listed = { readonly files: readonly DiskFile[]; readonly isWhole: boolean }

async function list({ files }: FileAccess, folder: Folder): Promise<Listed> {
  const listed = (await files?.list(folder, limits.workspaceFiles + 1, { skip: SKIPPED })) ?? []
  return { files: listed.slice(0, limits.workspaceFiles), isWhole: listed.length <= limits.workspaceFiles }
}

function isSkipped(path: string): boolean {
  return path.split("/").some((step, index, steps) => index < steps.length - 1 && SKIPPED.has(step))
}

/** Stamps and hashes of files that are as their rows say. */
type Seen = Map<string, string>

function seenOf({ workspaces }: FileAccess, stream: StreamId): Seen {
  const { seen } = workspaces
  const known: Seen = seen.get(stream) ?? new Map()
  if (!seen.has(stream) && seen.size >= SEEN_WORKSPACES) seen.clear()
  seen.set(stream, known)
  return known
}

/** It is as when it was last compared with this content. */
function isSeen(seen: Seen, { path, stamp }: DiskFile, row: FileRow | undefined): boolean {
  return row !== undefined && stamp !== undefined && seen.get(path) === `${stamp} ${row.hash}`
}

function note(seen: Seen, { path, stamp }: DiskFile, { hash }: Version): void {
  if (stamp === undefined) seen.delete(path)
  else seen.set(path, `${stamp} ${hash}`)
}
