/** The palette's entries, and which of them match. Pure. */
import { type AgentView, type FeedRow, plainWords, type SlashCommandRow } from "@parlor/protocol"
import { type ShortcutId, shortcutOf } from "../keyboard/shortcuts.ts"
import { addressOf, conversationOf, type Place, pageAddress } from "../place/place.ts"
import { score } from "./score.ts"

type Deed =
  | { readonly kind: "go"; readonly address: string }
  | { readonly kind: "run"; readonly shortcut: ShortcutId }
  /** Inserts text into the composer. */
  | { readonly kind: "insert"; readonly text: string }

export type Entry = {
  /** Stable across sessions: recent entries are stored by it. */
  readonly id: string
  readonly kind: "Recent" | "Conversations" | "Agents" | "Commands" | "Actions" | "Search"
  readonly words: string
  readonly about: string
  readonly shortcut?: ShortcutId
  readonly deed: Deed
}

export type Stock = {
  readonly place: Place
  readonly conversations: readonly Pick<FeedRow, "agent" | "branch" | "title" | "preview" | "archived">[]
  readonly agents: readonly Pick<AgentView, "name" | "description">[]
  readonly commands: readonly Pick<SlashCommandRow, "name" | "description">[]
  /** The actions available now. */
  readonly bound: readonly ShortcutId[]
}

/** The most entries shown. */
export const MAX_SHOWN = 40
const MAX_RECENT = 5

export function entriesOf(stock: Stock): readonly Entry[] {
  return [...conversationEntries(stock), ...agentEntries(stock), ...commandEntries(stock), ...deedEntries(stock)]
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
    words: `Search everything for “${words}”`,
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
    .filter((row) => !row.archived && conversationOf(row) !== front)
    .map((row) => ({
      id: `conversation ${conversationOf(row)}`,
      kind: "Conversations",
      words: row.title === "" ? conversationOf(row) : row.title,
      about: `${row.agent}${row.preview === "" ? "" : ` · ${plainWords(row.preview)}`}`,
      deed: { kind: "go", address: addressOf(row.agent, row.branch) },
    }))
}

function agentEntries({ agents }: Stock): readonly Entry[] {
  return agents.map(({ name, description }) => ({
    id: `agent ${name}`,
    kind: "Agents",
    words: `Chat with ${name}`,
    about: description,
    deed: { kind: "go", address: addressOf(name) },
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
      words: shortcutOf(id).words,
      about: "",
      shortcut: id,
      deed: { kind: "run", shortcut: id },
    }))
}
