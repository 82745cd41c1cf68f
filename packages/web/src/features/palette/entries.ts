/** What one can go to or do from the palette, and which of it fits what is typed. Pure. */
import { type AgentView, type CommandRow, type FeedRow, plainWords } from "@parlor/protocol"
import { type ShortcutId, shortcutOf } from "../keyboard/shortcuts.ts"
import { addressOf, conversationOf, type Place, pageAddress } from "../place/place.ts"
import { score } from "./score.ts"

type Deed =
  | { readonly kind: "go"; readonly address: string }
  | { readonly kind: "run"; readonly shortcut: ShortcutId }
  /** Puts words into the box of the conversation. */
  | { readonly kind: "insert"; readonly text: string }

export type Entry = {
  /** The same from one opening to the next: recent ones are kept by it. */
  readonly id: string
  readonly kind: "Recent" | "Conversations" | "Agents" | "Commands" | "Do" | "Search"
  readonly words: string
  readonly about: string
  readonly shortcut?: ShortcutId
  readonly deed: Deed
}

export type Stock = {
  readonly place: Place
  readonly conversations: readonly Pick<FeedRow, "agent" | "branch" | "title" | "preview" | "archived">[]
  readonly agents: readonly Pick<AgentView, "name" | "description">[]
  readonly commands: readonly Pick<CommandRow, "name" | "description">[]
  /** What can be done now. */
  readonly bound: readonly ShortcutId[]
}

/** How many are shown. Whoever wants another one types on. */
export const MOST_SHOWN = 40
const MOST_RECENT = 5

export function entriesOf(stock: Stock): readonly Entry[] {
  return [...conversationEntries(stock), ...agentEntries(stock), ...commandEntries(stock), ...deedEntries(stock)]
}

/** The fitting ones, best first; with nothing typed, what was used last and then all in order. */
export function fitting(entries: readonly Entry[], typed: string, recent: readonly string[]): readonly Entry[] {
  if (typed.trim() === "") {
    const used = recent.flatMap((id) => entries.filter((entry) => entry.id === id)).slice(0, MOST_RECENT)
    const rest = entries.filter((entry) => !used.includes(entry))
    return [...used.map((entry) => ({ ...entry, kind: "Recent" as const })), ...rest].slice(0, MOST_SHOWN)
  }
  const scored = entries.flatMap((entry) => {
    const fits = entryScore(entry, typed, recent)
    return fits === undefined ? [] : [{ entry, fits }]
  })
  return scored
    .sort((a, b) => b.fits - a.fits)
    .slice(0, MOST_SHOWN - 1)
    .map(({ entry }) => entry)
}

/** Always there when something is typed: what is not found by its name may be found by what was said in it. */
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
    words: `Talk with ${name}`,
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
      kind: "Do",
      words: shortcutOf(id).words,
      about: "",
      shortcut: id,
      deed: { kind: "run", shortcut: id },
    }))
}
