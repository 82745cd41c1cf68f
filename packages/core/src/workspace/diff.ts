/**
 * A unified diff of two texts. Pure, and bounded: Myers' greedy algorithm as long as the texts are similar; otherwise
 * the old lines are removed and the new lines added.
 */

/** More edits are not searched for: the work grows with their square. */
const MAX_EDITS = 400
const MAX_LINES = 20_000
const CONTEXT = 3
const NO_END = "\\ No newline at end of file"

type Line = { readonly kind: " " | "-" | "+"; readonly text: string }

/** Null if there are too many lines to compare. Empty if the texts are equal. */
export function unifiedDiff(before: string, after: string): string | null {
  const [a, b] = [linesOf(before), linesOf(after)]
  if (a.length + b.length > MAX_LINES) return null
  return hunks(script(a, b)).join("\n")
}

/** Lines keep their newline, so that a missing one at the end shows. */
function linesOf(text: string): readonly string[] {
  return text === "" ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
}

function script(a: readonly string[], b: readonly string[]): readonly Line[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let tail = 0
  while (tail < a.length - start && tail < b.length - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  return [
    ...a.slice(0, start).map((text) => ({ kind: " ", text }) as const),
    ...middle(a.slice(start, a.length - tail), b.slice(start, b.length - tail)),
    ...a.slice(a.length - tail).map((text) => ({ kind: " ", text }) as const),
  ]
}

function middle(a: readonly string[], b: readonly string[]): readonly Line[] {
  const trace = shortest(a, b)
  if (trace === undefined)
    return [...a.map((text) => ({ kind: "-", text }) as const), ...b.map((text) => ({ kind: "+", text }) as const)]
  return walkBack(a, b, trace)
}

/** How far each diagonal reaches, one list per number of edits; undefined if it takes too many. */
function shortest(a: readonly string[], b: readonly string[]): readonly Int32Array[] | undefined {
  const most = Math.min(a.length + b.length, MAX_EDITS)
  const reach = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice())
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = diagonal + most + 1
      const isDown = diagonal === -edits || (diagonal !== edits && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0))
      let x = isDown ? (reach[at + 1] ?? 0) : (reach[at - 1] ?? 0) + 1
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      reach[at] = x
      if (x >= a.length && x - diagonal >= b.length) return trace
    }
  }
  return undefined
}

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): readonly Line[] {
  const most = Math.min(a.length + b.length, MAX_EDITS)
  const lines: Line[] = []
  let [x, y] = [a.length, b.length]
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits]
    const diagonal = x - y
    const at = diagonal + most + 1
    const isDown = diagonal === -edits || (diagonal !== edits && (reach?.[at - 1] ?? 0) < (reach?.[at + 1] ?? 0))
    const before = isDown ? diagonal + 1 : diagonal - 1
    const fromX = edits === 0 ? 0 : (reach?.[before + most + 1] ?? 0)
    const fromY = edits === 0 ? 0 : fromX - before
    while (x > fromX && y > fromY) lines.push({ kind: " ", text: a[--x] ?? "" }) && y--
    if (edits > 0) lines.push(isDown ? { kind: "+", text: b[--y] ?? "" } : { kind: "-", text: a[--x] ?? "" })
  }
  return lines.reverse()
}

/** Changes with a few lines around them; nearby ones share a hunk. */
function hunks(lines: readonly Line[]): readonly string[] {
  const made: string[] = []
  let [old, now] = [1, 1]
  for (let i = 0; i < lines.length; ) {
    if (lines[i]?.kind === " ") {
      i += 1
      old += 1
      now += 1
      continue
    }
    const lead = Math.min(CONTEXT, i)
    const end = endOfHunk(lines, i)
    const hunk = lines.slice(i - lead, end)
    made.push(...printed(hunk, old - lead, now - lead))
    old += hunk.filter((line) => line.kind !== "+").length - lead
    now += hunk.filter((line) => line.kind !== "-").length - lead
    i = end
  }
  return made
}

function endOfHunk(lines: readonly Line[], from: number): number {
  let end = from
  for (let i = from; i < lines.length && i - end <= 2 * CONTEXT; i++) if (lines[i]?.kind !== " ") end = i + 1
  return Math.min(lines.length, end + CONTEXT)
}

function printed(hunk: readonly Line[], old: number, now: number): readonly string[] {
  const removed = hunk.filter((line) => line.kind !== "+").length
  const added = hunk.filter((line) => line.kind !== "-").length
  return [
    `@@ -${range(old, removed)} +${range(now, added)} @@`,
    ...hunk.flatMap(({ kind, text }) => (text.endsWith("\n") ? [kind + text.slice(0, -1)] : [kind + text, NO_END])),
  ]
}

/** An empty range is given by the line before it. */
function range(start: number, count: number): string {
  if (count === 1) return String(start)
  return `${count === 0 ? start - 1 : start},${count}`
}
