/**
 * The rows of a conversation in order: messages, and lines where messages are rolled back. Pure (RBK-1, MSG-3, MSG-5).
 *
 * A run of dimmed messages is collapsed to one line at the place of the cut. A run that later versions of its first
 * message replaced has no line: the message that is in force counts its versions instead, and shows each of them.
 */
import { isInForce, isWithin, type MessageRow, newestRollback, type RollbackRow, unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/rollback.ts"

export type Cut = {
  readonly kind: "cut"
  readonly id: string
  readonly words: string
  /** How many loaded messages it hides. */
  readonly count: number
  readonly isOpen: boolean
  /** The rollback, if it can be canceled: only the newest (RBK-6). */
  readonly cancel: string | undefined
}

/** The end of an earlier version that is being read. */
export type OldVersion = {
  readonly kind: "old"
  readonly id: string
  /** The message whose version it is. */
  readonly root: string
  /** Canceling this rollback brings the version back; otherwise it continues in a branch. */
  readonly cancel: string | undefined
  readonly last: MessageRow
}

export type Row = MessageRow | Cut | OldVersion

type Versions = { readonly root: string; readonly ids: readonly string[] }

export type LineUp = {
  readonly rows: readonly Row[]
  /** By message, where there is more than one version. */
  readonly versions: ReadonlyMap<string, Versions>
}

export type LineScene = {
  readonly messages: readonly MessageRow[]
  readonly rollbacks: readonly RollbackRow[]
  /** The cuts that are expanded. */
  readonly opened: ReadonlySet<string>
  /** By root, the version that is being read. */
  readonly chosen: ReadonlyMap<string, string>
  /** A message that has to be shown, wherever it is. */
  readonly revealed?: string | undefined
}

const NO_VERSIONS: ReadonlyMap<string, Versions> = new Map()

export function isMessage(row: Row): row is MessageRow {
  return !("kind" in row)
}

export function lineUp(scene: LineScene): LineUp {
  const { messages, rollbacks } = scene
  if (!rollbacks.some((row) => isInForce(row)) && !messages.some(({ dimmed }) => dimmed))
    return { rows: messages, versions: NO_VERSIONS }
  const versions = versionsOf(messages)
  const old = readVersion(scene, versions)
  const rows: Row[] = []
  for (let at = 0; at < messages.length; ) {
    const message = messages[at]
    if (message === undefined) break
    if (old !== undefined && message.id === old.instead) return { rows: [...rows, ...old.rows], versions }
    if (!message.dimmed) {
      rows.push(message)
      rows.push(...linesBelow(message, messages[at + 1], scene))
      at += 1
      continue
    }
    let end = at + 1
    while (messages[end]?.dimmed === true) end += 1
    const run = messages.slice(at, end)
    rows.push(...runRows(run, scene, versions))
    at = end
  }
  return { rows, versions }
}

/** Messages that replaced one another, in the order they were sent. */
function versionsOf(messages: readonly MessageRow[]): ReadonlyMap<string, Versions> {
  if (!messages.some(({ editedFrom }) => editedFrom !== null)) return NO_VERSIONS
  const byId = new Map(messages.map((message) => [message.id as string, message]))
  const roots = new Map<string, string[]>()
  const rootOf = new Map<string, string>()
  for (const { id, editedFrom } of messages) {
    const from = editedFrom === null || !byId.has(editedFrom) ? undefined : (rootOf.get(editedFrom) ?? editedFrom)
    const root = from ?? id
    rootOf.set(id, root)
    roots.set(root, [...(roots.get(root) ?? []), id])
  }
  const found = new Map<string, Versions>()
  for (const [root, ids] of roots) if (ids.length > 1) for (const id of ids) found.set(id, { root, ids })
  return found
}

function runRows(run: readonly MessageRow[], scene: LineScene, versions: LineUp["versions"]): readonly Row[] {
  const [first] = run
  if (first === undefined) return []
  const isRevealed = run.some(({ id }) => id === scene.revealed)
  const isReplaced = versions.get(first.id)?.ids.some((id) => isShown(id, scene.messages)) ?? false
  if (isReplaced && !isRevealed) return []
  const rollback = newestOf(scene.rollbacks.filter((row) => row.scope !== "files" && isWithin(first.ord, row)))
  const id = `cut ${rollback?.id ?? first.id}`
  const isOpen = isRevealed || scene.opened.has(id)
  const cut: Cut = {
    kind: "cut",
    id,
    words: rollback === undefined ? t("rolledBack") : wordsFor(rollback),
    count: run.length,
    isOpen,
    cancel: cancelable(rollback, scene.rollbacks),
  }
  return isOpen ? [cut, ...run] : [cut]
}

function isShown(id: string, messages: readonly MessageRow[]): boolean {
  return messages.some((message) => message.id === id && !message.dimmed)
}

/** Rollbacks that hide no messages here: of files, or of nothing that is loaded. Shown where they happened. */
function linesBelow(message: MessageRow, next: MessageRow | undefined, { rollbacks }: LineScene): readonly Cut[] {
  const isHere = (row: RollbackRow) =>
    row.scope === "files" && row.fromOrd >= message.ord && (next === undefined || row.fromOrd < next.ord)
  return rollbacks
    .filter((row) => isInForce(row) && isHere(row))
    .map((row) => ({
      kind: "cut",
      id: `cut ${row.id}`,
      words: wordsFor(row),
      count: 0,
      isOpen: false,
      cancel: cancelable(row, rollbacks),
    }))
}

/** The version that is being read, and the message in force that it is shown instead of. */
function readVersion(
  { messages, rollbacks, chosen }: LineScene,
  versions: LineUp["versions"],
): { readonly instead: string; readonly rows: readonly Row[] } | undefined {
  for (const [root, id] of chosen) {
    const group = versions.get(id)
    const instead = group?.ids.find((one) => isShown(one, messages))
    const start = messages.findIndex((message) => message.id === id)
    const message = messages[start]
    if (group === undefined || instead === undefined || message === undefined || !message.dimmed) continue
    const covering = rollbacks.filter((row) => isInForce(row) && row.scope !== "files" && isWithin(message.ord, row))
    const upTo = Math.min(...covering.map(({ fromOrd }) => fromOrd), Number.MAX_SAFE_INTEGER)
    const later = messages.find(({ ord, id }) => ord > message.ord && group.ids.includes(id))
    const tail = messages.slice(start).filter(({ ord }) => ord <= upTo && ord < (later?.ord ?? Number.MAX_SAFE_INTEGER))
    const [only, ...more] = covering
    const last = tail.at(-1) ?? message
    const cancel = more.length === 0 ? cancelable(only, rollbacks) : undefined
    return { instead, rows: [...tail, { kind: "old", id: `old ${root}`, root, cancel, last }] }
  }
  return undefined
}

function newestOf(rows: readonly RollbackRow[]): RollbackRow | undefined {
  return newestRollback(rows)
}

function cancelable(row: RollbackRow | undefined, all: readonly RollbackRow[]): string | undefined {
  return row !== undefined && newestRollback(all)?.id === row.id ? row.id : undefined
}

function wordsFor({ cancels, scope }: Pick<RollbackRow, "cancels" | "scope">): string {
  if (cancels !== null) return t("rollbackCanceledLaterMessagesHidden")
  switch (scope) {
    case "both":
      return t("rolledBackIncludingFiles")
    case "conversation":
      return t("rolledBack")
    case "files":
      return t("filesRolledBack")
    default:
      return unreachable(scope)
  }
}
