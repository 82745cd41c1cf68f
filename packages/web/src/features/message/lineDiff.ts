/** A line diff of two texts, with a marker before each line, as `Diff` shows it. Pure. */

/** Beyond this size every old line is shown as removed and every new one as added: a diff would take too long. */
const MAX_CELLS = 160_000

export function lineDiff(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const changed = between(old.slice(start, old.length - end), now.slice(start, now.length - end))
  const same = (lines: readonly string[]) => lines.map((line) => ` ${line}`)
  return [...same(old.slice(0, start)), ...changed, ...same(old.slice(old.length - end))].join("\n")
}

export function addedLines(text: string): string {
  return linesOf(text)
    .map((line) => `+${line}`)
    .join("\n")
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n")
}

/** By the longest common subsequence of lines. */
function between(old: readonly string[], now: readonly string[]): readonly string[] {
  const gone = (line: string) => `-${line}`
  const added = (line: string) => `+${line}`
  if (old.length * now.length > MAX_CELLS) return [...old.map(gone), ...now.map(added)]
  const kept = commonFrom(old, now)
  const lines: string[] = []
  let [a, b] = [0, 0]
  while (a < old.length && b < now.length) {
    if (old[a] === now[b]) {
      lines.push(` ${old[a]}`)
      a += 1
      b += 1
    } else if ((kept[a + 1]?.[b] ?? 0) >= (kept[a]?.[b + 1] ?? 0)) lines.push(gone(old[a++] ?? ""))
    else lines.push(added(now[b++] ?? ""))
  }
  return [...lines, ...old.slice(a).map(gone), ...now.slice(b).map(added)]
}

/** The length of the longest common subsequence from each pair of positions. */
function commonFrom(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0))
  for (let a = old.length - 1; a >= 0; a--)
    for (let b = now.length - 1; b >= 0; b--) {
      const row = table[a]
      if (row === undefined) continue
      const [below, right] = [table[a + 1]?.[b] ?? 0, row[b + 1] ?? 0]
      row[b] = old[a] === now[b] ? (table[a + 1]?.[b + 1] ?? 0) + 1 : Math.max(below, right)
    }
  return table
}
