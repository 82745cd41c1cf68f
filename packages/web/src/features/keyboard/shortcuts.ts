/**
 * All shortcuts of the page (TAB-32). The dispatcher, the list, the command palette and the tooltips read this table.
 * Pure.
 *
 * Keys are written as `Mod+K`: `Mod` is ⌘ on a Mac and Ctrl elsewhere. Alt with a letter types a character on a Mac, so
 * Macs use Ctrl+Shift. None of them is a browser shortcut (Ctrl+T, W, N, Tab), and keys that type a character work only
 * outside of text fields.
 */
import { t } from "../../texts/en/keyboard.ts"

export const groups = ["everywhereGroup", "goToGroup", "thisConversationGroup", "writingGroup", "queueGroup"] as const
type Group = (typeof groups)[number]

/** `page`: not while something is being typed. `composer`, `queue`: while the focus is there. */
export type Where = "anywhere" | "page" | "composer" | "queue"

export type Shortcut = {
  readonly group: Group
  /** Any of them. Without keys, it is an action of the palette only. */
  readonly keys: readonly string[]
  /** Used on a Mac, where different. */
  readonly mac?: readonly string[]
  readonly where: Where
  /** Handled locally: listed here for display and matching only. */
  readonly isLocal?: boolean
  /** Not in the palette, because it needs a number or a focused item. */
  readonly isUnlisted?: boolean
}

const anywhere = { group: "everywhereGroup", where: "anywhere" } as const
const going = { group: "goToGroup", where: "anywhere" } as const
const talk = { group: "thisConversationGroup", where: "anywhere" } as const
const writing = { group: "writingGroup", where: "composer", isLocal: true, isUnlisted: true } as const
const queueing = { group: "queueGroup", where: "queue", isLocal: true, isUnlisted: true } as const

const shortcuts = {
  palette: { ...anywhere, keys: ["Mod+K"], isUnlisted: true },
  keyboard: { ...anywhere, keys: ["Mod+/", "?"] },
  settings: { ...anywhere, keys: ["Alt+,"], mac: ["Ctrl+,"] },
  models: { ...anywhere, keys: [] },
  lightTheme: { ...anywhere, keys: [] },
  darkTheme: { ...anywhere, keys: [] },
  systemTheme: { ...anywhere, keys: [] },
  notifications: { ...anywhere, keys: [] },
  leave: { ...anywhere, keys: [] },
  newChat: { ...anywhere, ...letter("N") },

  previousTab: { ...going, keys: ["Alt+ArrowUp"] },
  nextTab: { ...going, keys: ["Alt+ArrowDown"] },
  numberedTab: { ...going, ...letter("1…9"), mac: ["Ctrl+1…9"], isUnlisted: true },
  search: { ...going, keys: ["Alt+Shift+F"], mac: ["Ctrl+Shift+L"] },
  files: { ...going, ...letter("F") },
  memory: { ...going, ...letter("M") },
  triggers: { ...going, ...letter("T") },
  chapters: { ...going, ...letter("C") },
  attachments: { ...going, ...letter("U") },
  account: { ...going, keys: [] },
  inspect: { ...going, ...letter("I") },

  find: { ...talk, keys: ["Mod+F"] },
  aside: { ...talk, ...letter("S") },
  rename: { ...talk, keys: ["F2"] },
  pin: { ...talk, ...letter("P") },
  archive: { ...talk, ...letter("W") },
  unarchive: { ...talk, keys: [] },
  markUnread: { ...talk, keys: [] },
  remove: { ...talk, keys: [] },
  exportChat: { ...talk, keys: [] },
  branches: { ...talk, keys: [] },
  rollBack: { ...talk, ...letter("R") },
  newest: { ...talk, keys: ["Alt+End"] },
  answerAsk: { ...talk, ...letter("A") },
  focusQueue: { ...talk, ...letter("Q") },

  write: { group: "writingGroup", where: "page", keys: ["/"] },
  stop: { group: "writingGroup", where: "composer", keys: ["Escape"] },
  send: { ...writing, keys: ["Enter"] },
  newLine: { ...writing, keys: ["Shift+Enter"] },
  join: { ...writing, keys: ["Mod+Enter"] },
  offerCommands: { ...writing, keys: ["/"] },
  offerAgents: { ...writing, keys: ["@"] },
  editLast: { ...writing, keys: ["ArrowUp"] },

  queueUp: { ...queueing, keys: ["Alt+ArrowUp"] },
  queueDown: { ...queueing, keys: ["Alt+ArrowDown"] },
  queueRemove: { ...queueing, keys: ["Delete"] },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof shortcuts

export const shortcutIds = Object.keys(shortcuts) as readonly ShortcutId[]

export function shortcutOf(id: ShortcutId): Shortcut {
  return shortcuts[id]
}

/** What it does, for people. */
export function shortcutWords(id: ShortcutId): string {
  return t(id)
}

export function keysOf(id: ShortcutId, isMac: boolean): readonly string[] {
  const { keys, mac } = shortcutOf(id)
  return isMac ? (mac ?? keys) : keys
}

/** Alt and a letter; on a Mac, where that types a character, Ctrl+Shift. */
function letter(key: string) {
  return { keys: [`Alt+${key}`], mac: [`Ctrl+Shift+${key}`] } as const
}
