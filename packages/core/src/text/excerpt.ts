/** Short excerpts of a text. Pure. */
import { plainWords } from "@parlor/protocol"

const TITLE_LENGTH = 60
/** How much of a message is considered for its title. */
const TITLE_FROM = 1_000

/** The first line with text, without Markdown syntax. */
export function titleFrom(source: string): string {
  const lines = source.trimStart().slice(0, TITLE_FROM).split("\n")
  return excerpt(lines.map(plainWords).find((line) => line !== "") ?? source, TITLE_LENGTH)
}

/** The first characters of a text on one line, cut between characters. */
export function excerpt(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, " ")
    .trim()
  if (line.length <= length) return line.toWellFormed()
  const cut = line.slice(0, length - 1)
  return `${(/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd()}…`
}
