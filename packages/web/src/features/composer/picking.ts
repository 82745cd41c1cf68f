/** Suggestions for `/` and `@`: when they open, which match, and which is selected. Pure. */
import type { Chip } from "@parlor/client"
import type { AgentView, FileListing, SlashCommandRow } from "@parlor/protocol"
import { unreachable } from "@parlor/protocol"

/** The word at the caret, when it may become a chip. */
export type Trigger = {
  readonly sign: "/" | "@"
  readonly query: string
  /** From the sign to the caret, in code units. */
  readonly length: number
}

export type PickRow =
  | { readonly kind: "command"; readonly id: string; readonly command: SlashCommandRow }
  | { readonly kind: "agent"; readonly id: string; readonly agent: Pick<AgentView, "name" | "description"> }
  | { readonly kind: "file"; readonly id: string; readonly path: string }

export type PickGroup = { readonly title: string; readonly rows: readonly PickRow[] }

export type Offered = {
  readonly commands: readonly SlashCommandRow[]
  readonly agents: readonly Pick<AgentView, "name" | "description">[]
  /** Undefined while they are being fetched. */
  readonly files: readonly Pick<FileListing, "path">[] | undefined
}

/** The placeholder for a chip in the text before the caret. */
export const OBJECT = "\uFFFC"

const MAX_COMMANDS = 50
const MAX_AGENTS = 20
const MAX_FILES = 20
const LONGEST_QUERY = 120

const COMMAND = /(?:^|[\s\uFFFC])(\/([\p{L}\p{N}._:-]*))$/u
const REFERENCE = /(?:^|[\s\uFFFC([{"'«“‘])(@([^\s\uFFFC@]*))$/u

/** `before`: the line up to the caret. Only the start of a word is a trigger: `and/or`, `me@home` and `/usr/bin` are text. */
export function triggerIn(before: string): Trigger | undefined {
  for (const [sign, pattern] of [
    ["/", COMMAND],
    ["@", REFERENCE],
  ] as const) {
    const [, word = "", query = ""] = pattern.exec(before) ?? []
    if (word !== "" && query.length <= LONGEST_QUERY) return { sign, query, length: word.length }
  }
  return undefined
}

/** Empty groups are omitted. */
export function pickGroups({ sign, query }: Trigger, { commands, agents, files = [] }: Offered): readonly PickGroup[] {
  const rows: readonly PickGroup[] =
    sign === "/"
      ? [
          {
            title: "Commands",
            rows: best(query, commands, ({ name }) => name, MAX_COMMANDS).map((command) => ({
              kind: "command",
              id: `command ${command.name}`,
              command,
            })),
          },
        ]
      : [
          {
            title: "Agents",
            rows: best(query, agents, ({ name }) => name, MAX_AGENTS).map((agent) => ({
              kind: "agent",
              id: `agent ${agent.name}`,
              agent,
            })),
          },
          {
            title: "Files",
            rows: best(query.replace(/^file:/, ""), files, ({ path }) => path, MAX_FILES).map(({ path }) => ({
              kind: "file",
              id: `file ${path}`,
              path,
            })),
          },
        ]
  return rows.filter((group) => group.rows.length > 0)
}

export function chipOf(row: PickRow): Chip {
  switch (row.kind) {
    case "command":
      return { kind: "slash_command", name: row.command.name }
    case "agent":
      return { kind: "mention", name: row.agent.name }
    case "file":
      return { kind: "file", path: row.path }
    default:
      return unreachable(row)
  }
}

/** The selected row after the rows changed: the same one, or the one now in its place. */
export function activeIn(rows: readonly PickRow[], last: { readonly id: string; readonly index: number } | undefined) {
  const same = rows.findIndex(({ id }) => id === last?.id)
  return same >= 0 ? same : Math.max(0, Math.min(last?.index ?? 0, rows.length - 1))
}

export function stepped(index: number, by: 1 | -1, count: number): number {
  return count === 0 ? 0 : (index + by + count) % count
}

/** Announced when the list changes. */
export function countWords({ sign, query }: Trigger, count: number, isLoading: boolean): string {
  if (count > 0) return count === 1 ? "1 suggestion" : `${count} suggestions`
  if (isLoading) return "Searching files…"
  if (sign === "/") return query === "" ? "No commands here" : `No command named “${query}”`
  return query === "" ? "No other agents or files here" : `No agent or file named “${query}”`
}

function best<T>(query: string, all: readonly T[], nameOf: (one: T) => string, most: number): readonly T[] {
  const wanted = query.toLocaleLowerCase()
  return all
    .flatMap((one) => {
      const rank = rankOf(wanted, nameOf(one).toLocaleLowerCase())
      return rank === undefined ? [] : [{ one, rank, name: nameOf(one) }]
    })
    .sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ one }) => one)
}

/** Ranks a prefix of the name first, then of its last path segment, then of any word, then any substring. */
function rankOf(wanted: string, name: string): number | undefined {
  if (wanted === "") return 0
  if (name.startsWith(wanted)) return 0
  if (name.slice(name.lastIndexOf("/") + 1).startsWith(wanted)) return 1
  const at = name.indexOf(wanted)
  if (at < 0) return undefined
  return /[\p{L}\p{N}]/u.test(name[at - 1] ?? "") ? 3 : 2
}
