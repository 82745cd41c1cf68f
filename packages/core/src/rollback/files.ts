/**
 * The files of a workspace, as a rollback finds them and as it leaves them.
 *
 * Edits by hand since the target count as they are on disk; older ones are left alone, because no row says when they
 * were made. A file too large to keep a copy of is never touched (RBK-7).
 */
import { type Millis, type NewChange, parseRow, type RestoredFile, type StreamId } from "@parlor/protocol"
import type { ConversationState } from "../log/state.ts"
import type { StoredRow } from "../ports/store.ts"
import type { Version } from "../workspace/content.ts"
import type { FileAccess } from "../workspace/file-access.ts"
import { type HandEdit, handEdits } from "../workspace/hand-edits.ts"
import { BASELINE_ORD, BY_HAND, changeId, type FileEdit, planEdits } from "../workspace/plan.ts"
import type { Kept } from "../workspace/tree.ts"
import { takeTree } from "../workspace/trees.ts"

/** The author of a restored file. */
const BY_ROLLBACK = "rollback"
const PAGE = 500

/** Edits by hand on disk since then, by path. */
export type Hands = ReadonlyMap<string, HandEdit>
export type Files = ReadonlyMap<string, Version>

export async function handsSince(node: FileAccess, stream: StreamId, since: Millis): Promise<Hands> {
  const edits = await handEdits(node, stream)
  return new Map(edits.filter((edit) => edit.modifiedAt >= since).map((edit) => [edit.path, edit]))
}

/** What is recorded of them: all but those too large to keep. */
export function recordedHands(hands: Hands): ReadonlyMap<string, Version> {
  return new Map([...hands].flatMap(([path, { after }]) => (after === null ? [] : [[path, after] as const])))
}

/** The paths that differ from the target. Deletions come first, to make room for the others. */
export function differences(now: Files, hands: Hands, target: Files): readonly Difference[] {
  const paths = new Set([...now.keys(), ...hands.keys(), ...target.keys()])
  const found: Difference[] = []
  for (const path of paths) {
    const hand = hands.get(path)
    const after = target.get(path) ?? null
    const before = hand === undefined ? (now.get(path) ?? null) : hand.after
    const isKept = hand !== undefined && hand.after === null
    if (isKept || before?.hash !== after?.hash)
      found.push({ path, before, after, conflict: hand !== undefined, isKept })
  }
  return found.sort(goingFirst)
}

export type Difference = {
  readonly path: string
  readonly before: Version | null
  readonly after: Version | null
  /** Edited by hand after the last write Parlor knows of (RBK-7). */
  readonly conflict: boolean
  /** Too large to keep a copy of, so it stays. */
  readonly isKept: boolean
}

export type FilesPlan = {
  readonly changes: readonly NewChange[]
  readonly status: ConversationState["status"]
  readonly files: readonly RestoredFile[]
  /** The first change of this rollback, or the id it would have. */
  readonly change: string
  /** The tree after the changes, for the next decision. */
  readonly kept: Kept
}

/** The rows that restore the files of `target`, after recording edits by hand. */
export async function planFiles(
  node: FileAccess,
  state: ConversationState,
  hands: Hands,
  target: (now: Files) => Promise<Files>,
): Promise<FilesPlan> {
  const { tree, last } = await takeTree(node, state)
  const found = differences(tree.files, hands, await target(tree.files)).filter(({ isKept }) => !isKept)
  const recorded = [...recordedHands(hands)].map(
    ([path, after]): FileEdit => ({ path, after, by: BY_HAND, turn: null }),
  )
  const restored = found.map(({ path, after }): FileEdit => ({ path, after, by: BY_ROLLBACK, turn: null }))
  const { changes, status } = planEdits(state, tree, [...recorded, ...restored], node.clock.now())
  const rows = changes.flatMap((change) => (change.collection === "changes" ? [change.row] : []))
  const first = rows.find((row) => row.by === BY_ROLLBACK)?.id ?? changeId(state.stream.control, rows.length)
  return {
    changes,
    status,
    files: found.map(({ path, before, after, conflict }) => ({
      path,
      before: before?.hash ?? null,
      after: after?.hash ?? null,
      conflict,
    })),
    change: first,
    kept: { tree, last: rows.at(-1)?.id ?? last },
  }
}

/** The files as they were before that change: it and all later changes are undone, newest first. */
export async function filesBefore(node: FileAccess, stream: StreamId, now: Files, change: string): Promise<Files> {
  const files = new Map<string, Version>(now)
  for (let below = {}; ; ) {
    const query = { collection: "changes", newest: PAGE, ...below } as const
    const page: readonly StoredRow[] = (await node.store.log.read(stream, [query]))?.lists[0] ?? []
    for (const stored of page) {
      if (stored.key < change) return files
      const row = parseRow("changes", stored.value)
      if (row.ord === BASELINE_ORD) continue
      if (row.before === null) files.delete(row.path)
      else files.set(row.path, { hash: row.before, bytes: row.bytesBefore })
    }
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return files
    below = { before: last.ord ?? 0, beforeKey: last.key }
  }
}

function goingFirst(a: Difference, b: Difference): number {
  return Number(b.after === null) - Number(a.after === null) || (a.path < b.path ? -1 : 1)
}
