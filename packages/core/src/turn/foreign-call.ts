/** A call that a hosted agent made itself, as a part of its message, within limits (HST-3). Pure. */
import type { ToolPart } from "@parlor/protocol"
import type { HarnessCall } from "../ports/harness.ts"
import type { Json } from "../ports/json.ts"
import { cleanJson, cleanText } from "../text/clean-json.ts"
import { unifiedDiff } from "../workspace/diff.ts"

const MAX_INPUT_CHARS = 64 * 1024
/** Of the output while the call runs; the whole output is recorded when it ends. */
const SHOWN_CHARS = 4_000
const MAX_TITLE = 300
const MAX_NAME = 64
const MAX_KIND = 32
const MAX_PATH = 1_000
const MAX_LOCATIONS = 64
const MAX_DIFFS = 64
/** Longer texts are not compared, and longer diffs are not kept: the changes of the workspace have them (WSP-4). */
const MAX_DIFFED_CHARS = 256 * 1024
const MAX_DIFF_CHARS = 32 * 1024
const MAX_FAILURE = 4_000

type Foreign = NonNullable<ToolPart["foreign"]>

export function foreignCall(call: HarnessCall): {
  readonly name: string
  readonly field: { readonly foreign: Foreign }
  /** What to say if it failed. */
  readonly failure: string
} {
  const { kind = "other", title = "", name = "", output, locations = [], diffs = [] } = call
  const shown = cleanText(title).slice(0, MAX_TITLE)
  const foreign: Foreign = {
    title: shown,
    kind: cleanText(kind).slice(0, MAX_KIND),
    locations: locations
      .slice(0, MAX_LOCATIONS)
      .map(({ path, line }) => ({ path: cleanText(path).slice(0, MAX_PATH), line: line ?? null })),
    diffs: diffed(diffs),
  }
  const failed =
    typeof output === "string" ? output : output === undefined || output === null ? "" : JSON.stringify(output)
  return {
    name: cleanText(name || kind).slice(0, MAX_NAME) || "tool",
    field: { foreign },
    failure: cleanText(failed.slice(0, MAX_FAILURE)) || "The call failed.",
  }
}

/** A longer input is recorded as the beginning of its text. */
export function boundedInput(input: Json | undefined): ToolPart["input"] {
  if (input === undefined) return {}
  return within(input, MAX_INPUT_CHARS)
}

export function shownOutput(output: Json): ToolPart["output"] {
  return within(output, SHOWN_CHARS)
}

function within(value: Json, most: number): ToolPart["input"] {
  const text = JSON.stringify(value) ?? "null"
  if (text.length > most) return `${cleanText(text.slice(0, most))}…`
  try {
    return cleanJson(value) as ToolPart["input"]
  } catch {
    return cleanText(text)
  }
}

/** A call that reports its progress repeats its diffs. */
const compared = new WeakMap<NonNullable<HarnessCall["diffs"]>, Foreign["diffs"]>()

function diffed(diffs: NonNullable<HarnessCall["diffs"]>): Foreign["diffs"] {
  const known = compared.get(diffs)
  if (known !== undefined) return known
  const made = diffs.slice(0, MAX_DIFFS).map(({ path, before, after }) => ({
    path: cleanText(path).slice(0, MAX_PATH),
    diff: diffOf(before ?? "", after),
  }))
  compared.set(diffs, made)
  return made
}

function diffOf(before: string, after: string): string | null {
  if (before.length + after.length > MAX_DIFFED_CHARS) return null
  const diff = unifiedDiff(before, after)
  return diff === null || diff.length > MAX_DIFF_CHARS ? null : cleanText(diff)
}
