/**
 * A row as it is stored and sent: without the fields that have their default (LOG-2).
 *
 * A published reader (StreamDB) merges an update into the row it has. So an update leaves out only fields that had their
 * default before as well: those that never change, and, where the row before it is known, those that did not.
 */
import type { NewChange } from "../change.ts"
import type { Collection } from "../collections.ts"
import { addedFields } from "./blank-rows.ts"
import type { Usage } from "./usage.ts"

/** Fields that keep the value they were inserted with, or never return to their default. */
const lasting: { readonly [C in Collection]?: ReadonlySet<string> } = {
  messages: new Set(["author", "composer", "inbox", "trigger", "dimmed", "editedFrom"]),
  turns: new Set([
    "guest",
    "guestsNext",
    "compaction",
    "settings",
    "steps",
    "runs",
    "usage",
    "endedAt",
    "error",
    "began",
  ]),
}

/**
 * What turns change: a reader may have missed when such a field was reset, because that event was dropped (LOG-36). So all
 * of them are in the row that a turn leaves.
 */
const passing: { readonly [C in Collection]?: ReadonlySet<string> } = {
  status: new Set([
    ...["state", "busyWith", "turn", "message", "attempt", "retryAt", "error", "failures", "held", "again", "unread"],
  ]),
}

type Fields = Readonly<Record<string, unknown>>

/** `before`: the row that an update replaces, if it is known. */
export function storedRow({ collection, operation, row }: NewChange, before?: object): object {
  const defaults: Fields = addedFields[collection]
  const known = before as Fields | undefined
  const fields = operation === "insert" ? undefined : lasting[collection]
  const sent = isRunning(row) ? undefined : passing[collection]
  if (operation !== "insert" && fields === undefined && known === undefined) return row
  const given = row as unknown as Fields
  const stored: Record<string, unknown> = {}
  for (const name in given) {
    const value = given[name]
    const standard = defaults[name]
    const isLeftOut =
      standard !== undefined &&
      isSame(value, standard) &&
      !sent?.has(name) &&
      (operation === "insert" || fields?.has(name) || (known !== undefined && isSame(known[name], standard)))
    if (!isLeftOut) stored[name] = name === "usage" && value !== null ? withoutZeros(value as Usage) : value
  }
  return stored
}

/** The status while a turn runs; the row after it follows. */
function isRunning(row: object): boolean {
  return "state" in row && row.state === "busy"
}

/** Defaults are plain values, empty lists, or a usage of nothing. */
function isSame(value: unknown, standard: unknown): boolean {
  if (value === standard) return true
  if (typeof value !== "object" || typeof standard !== "object" || value === null || standard === null) return false
  if (Array.isArray(standard)) return Array.isArray(value) && value.length === 0
  return Object.values(value).every((count) => count === 0)
}

function withoutZeros(usage: Usage): Partial<Usage> {
  const counted: Record<string, number> = {}
  for (const [name, count] of Object.entries(usage)) if (count !== 0 && count !== undefined) counted[name] = count
  return counted
}
