/** The palette's entries, and which of them match. Pure. */
import { type AgentView, type FeedRow, MAIN_BRANCH, plainWords, type SlashCommandRow } from "@parlor/protocol"
import { t } from "../../texts/en/palette.ts"
import { type ShortcutId, shortcutOf, shortcutWords } from "../keyboard/shortcuts.ts"
import { addressOf, conversationOf, newChatBranch, type Place, pageAddress } from "../place/place.ts"
import { score } from "./score.ts"

type Deed =
  | { readonly kind: "go"; readonly address: string }
  | { readonly kind: "run"; readonly shortcut: ShortcutId }
  /** Inserts text into the composer. */
  | { readonly kind: "insert"; readonly text: string }

export type Entry = {
  /** Stable across sessions: recent entries are stored by it. */
  readonly id: string
  readonly kind: "Recent" | "Conversations" | "Archived" | "Agents" | "Commands" | "Actions" | "Search"
  readonly words: string
  readonly about: string
  readonly shortcut?: ShortcutId
  readonly deed: Deed
}

type Listed = Pick<FeedRow, "agent" | "branch" | "title" | "preview" | "archived"> &
  Partial<Pick<FeedRow, "deleteAt" | "spoken" | "ephemeral">>

export type Stock = {
  readonly place: Place
  readonly conversations: readonly Listed[]
  readonly agents: readonly Pick<AgentView, "name" | "description">[]
  readonly commands: readonly Pick<SlashCommandRow, "name" | "description">[]
  /** The actions available now. */
  readonly bound: readonly ShortcutId[]
}

/** The most entries shown. */
export const MAX_SHOWN = 40
const MAX_RECENT = 5

export function entriesOf(stock: Stock): readonly Entry[] {
  const conversations = conversationEntries(stock)
  const [open, archived] = [false, true].map((is) => conversations.filter(({ kind }) => (kind === "Archived") === is))
  return [...(open ?? []), ...agentEntries(stock), ...commandEntries(stock), ...deedEntries(stock), ...(archived ?? [])]
}

/** The matching entries, best first; without input, recent ones and then all in order. */
export function fitting(entries: readonly Entry[], typed: string, recent: readonly string[]): readonly Entry[] {
  if (typed.trim() === "") {
    const used = recent.flatMap((id) => entries.filter((entry) => entry.id === id)).slice(0, MAX_RECENT)
    const rest = entries.filter((entry) => !used.includes(entry))
    return [...used.map((entry) => ({ ...entry, kind: "Recent" as const })), ...rest].slice(0, MAX_SHOWN)
  }
  const scored = entries.flatMap((entry) => {
    const fits = entryScore(entry, typed, recent)
    return fits === undefined ? [] : [{ entry, fits }]
  })
  return scored
    .sort((a, b) => b.fits - a.fits)
    .slice(0, MAX_SHOWN - 1)
    .map(({ entry }) => entry)
}

/** Always offered when something is typed, to search message text. */
export function searchEntry(typed: string, { agent, branch }: Pick<Place, "agent" | "branch">): Entry {
  const words = typed.trim()
  return {
    id: "search",
    kind: "Search",
    words: t("searchEverythingForWords", { words }),
    about: "",
    deed: { kind: "go", address: pageAddress("search", agent, branch, words) },
  }
}

const USED_BONUS = 4
const ABOUT_SHARE = 0.4

function entryScore(entry: Entry, typed: string, recent: readonly string[]): number | undefined {
  const byWords = score(typed, entry.words)
  const byAbout = score(typed, `${entry.words} ${entry.about}`)
  const best = byWords ?? (byAbout === undefined ? undefined : byAbout * ABOUT_SHARE)
  return best === undefined ? undefined : best + (recent.includes(entry.id) ? USED_BONUS : 0)
}

function conversationEntries({ conversations, place }: Stock): readonly Entry[] {
  const front = place.page === "conversation" ? conversationOf(place) : ""
  return conversations
    .filter((row) => row.deleteAt == null && row.spoken !== false && conversationOf(row) !== front)
    .map((row) => ({
      id: `conversation ${conversationOf(row)}`,
      kind: row.archived ? "Archived" : "Conversations",
      words: row.title || t("untitled"),
      about: aboutOf(row),
      deed: { kind: "go", address: addressOf(row.agent, row.branch) },
    }))
}

function aboutOf({ agent, preview, ephemeral }: Listed): string {
  const kind = ephemeral === true ? [t("sideChat")] : []
  return [...kind, agent, plainWords(preview)].filter((words) => words !== "").join(" · ")
}

function agentEntries({ agents, conversations }: Stock): readonly Entry[] {
  const hasMain = (name: string) => conversations.some(({ agent, branch }) => agent === name && branch === MAIN_BRANCH)
  return agents.map(({ name, description }) => ({
    id: `agent ${name}`,
    kind: "Agents",
    words: t("newChatWithName", { name }),
    about: description,
    deed: { kind: "go", address: addressOf(name, hasMain(name) ? newChatBranch() : MAIN_BRANCH) },
  }))
}

function commandEntries({ commands }: Stock): readonly Entry[] {
  return commands.map(({ name, description }) => ({
    id: `command ${name}`,
    kind: "Commands",
    words: `/${name}`,
    about: description,
    deed: { kind: "insert", text: `/${name} ` },
  }))
}

function deedEntries({ bound }: Stock): readonly Entry[] {
  return bound
    .filter((id) => shortcutOf(id).isUnlisted !== true)
    .map((id) => ({
      id: `do ${id}`,
      kind: "Actions",
      words: shortcutWords(id),
      about: "",
      shortcut: id,
      deed: { kind: "run", shortcut: id },
    }))
}
