/** Suggestions for `/` and `@`: when they open, which match, and which is selected. Pure. */
import type { Chip } from "@parlor/client"
import type { AgentView, FileListing, SlashCommandRow } from "@parlor/protocol"
import { bestMatches, type TypedSign, unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/composer.ts"

export { OBJECT, type TypedSign, triggerIn } from "@parlor/protocol"

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

const MAX_COMMANDS = 50
const MAX_AGENTS = 20
const MAX_FILES = 20

/** Empty groups are omitted. */
export function pickGroups(
  { sign, query }: TypedSign,
  { commands, agents, files = [] }: Offered,
): readonly PickGroup[] {
  const rows: readonly PickGroup[] =
    sign === "/"
      ? [
          {
            title: t("commands"),
            rows: bestMatches(query, commands, ({ name }) => name, MAX_COMMANDS).map((command) => ({
              kind: "command",
              id: `command ${command.name}`,
              command,
            })),
          },
        ]
      : [
          {
            title: t("agents"),
            rows: bestMatches(query, agents, ({ name }) => name, MAX_AGENTS).map((agent) => ({
              kind: "agent",
              id: `agent ${agent.name}`,
              agent,
            })),
          },
          {
            title: "Files",
            rows: bestMatches(query.replace(/^file:/, ""), files, ({ path }) => path, MAX_FILES).map(({ path }) => ({
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
export function countWords({ sign, query }: TypedSign, count: number, isLoading: boolean): string {
  if (count > 0) return t("countSuggestions", { count })
  if (isLoading) return t("searchingFiles")
  if (sign === "/") return query === "" ? t("noCommandsHere") : t("noCommandNamedQuery", { query })
  return query === "" ? t("noOtherAgentsOrFiles") : t("noAgentOrFileNamed", { query })
}
