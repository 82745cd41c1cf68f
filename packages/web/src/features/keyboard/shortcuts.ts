/**
 * All shortcuts of the page (TAB-32). The dispatcher, the list, the command palette and the tooltips read this table.
 * Pure.
 *
 * Keys are written as `Mod+K`: `Mod` is ⌘ on a Mac and Ctrl elsewhere. Alt with a letter types a character on a Mac, so
 * Macs use Ctrl+Shift. None of them is a browser shortcut (Ctrl+T, W, N, Tab), and keys that type a character work only
 * outside of text fields.
 */
export const groups = ["Everywhere", "Go to", "This conversation", "Writing", "Queue"] as const
type Group = (typeof groups)[number]

/** `page`: not while something is being typed. `composer`, `queue`: while the focus is there. */
export type Where = "anywhere" | "page" | "composer" | "queue"

export type Shortcut = {
  readonly words: string
  readonly group: Group
  /** Any of them. */
  readonly keys: readonly string[]
  /** Used on a Mac, where different. */
  readonly mac?: readonly string[]
  readonly where: Where
  /** Handled locally: listed here for display and matching only. */
  readonly isLocal?: boolean
  /** Not in the palette, because it needs a number or a focused item. */
  readonly isUnlisted?: boolean
}

const anywhere = { group: "Everywhere", where: "anywhere" } as const
const going = { group: "Go to", where: "anywhere" } as const
const talk = { group: "This conversation", where: "anywhere" } as const
const writing = { group: "Writing", where: "composer", isLocal: true, isUnlisted: true } as const
const queueing = { group: "Queue", where: "queue", isLocal: true, isUnlisted: true } as const

const shortcuts = {
  palette: { ...anywhere, words: "Search or run a command", keys: ["Mod+K"], isUnlisted: true },
  keyboard: { ...anywhere, words: "Keyboard shortcuts", keys: ["Mod+/", "?"] },
  settings: { ...anywhere, words: "Settings", keys: ["Alt+,"], mac: ["Ctrl+,"] },
  reopenTab: { ...anywhere, words: "Reopen last closed tab", keys: ["Alt+Shift+T"], mac: ["Ctrl+Shift+Z"] },
  newChat: { ...anywhere, words: "New chat", ...letter("N") },

  previousTab: { ...going, words: "Previous tab", keys: ["Alt+ArrowUp"] },
  nextTab: { ...going, words: "Next tab", keys: ["Alt+ArrowDown"] },
  numberedTab: { ...going, words: "Tab 1 to 9", ...letter("1…9"), mac: ["Ctrl+1…9"], isUnlisted: true },
  search: { ...going, words: "Search everything", keys: ["Alt+Shift+F"], mac: ["Ctrl+Shift+L"] },
  files: { ...going, words: "Files", ...letter("F") },
  memory: { ...going, words: "Memory", ...letter("M") },
  triggers: { ...going, words: "Triggers", ...letter("T") },
  chapters: { ...going, words: "Chapters", ...letter("C") },
  attachments: { ...going, words: "Attachments", ...letter("U") },
  inspect: { ...going, words: "Inspector", ...letter("I") },

  find: { ...talk, words: "Find in this conversation", keys: ["Mod+F"] },
  aside: { ...talk, words: "New side chat", ...letter("S") },
  rename: { ...talk, words: "Rename", keys: ["F2"] },
  pin: { ...talk, words: "Pin or unpin this tab", ...letter("P") },
  closeTab: { ...talk, words: "Close this tab", ...letter("W") },
  rollBack: { ...talk, words: "Roll back to before my last message", ...letter("R") },
  newest: { ...talk, words: "Go to the newest message", keys: ["Alt+End"] },
  answerAsk: { ...talk, words: "Go to the open question", ...letter("A") },
  focusQueue: { ...talk, words: "Go to the queue", ...letter("Q") },

  write: { group: "Writing", where: "page", words: "Write a message", keys: ["/"] },
  stop: { group: "Writing", where: "composer", words: "Stop the reply", keys: ["Escape"] },
  send: { ...writing, words: "Send, or while busy, queue or add to current reply", keys: ["Enter"] },
  newLine: { ...writing, words: "New line", keys: ["Shift+Enter"] },
  join: { ...writing, words: "While busy, the other one: add to current reply or queue", keys: ["Mod+Enter"] },
  offerCommands: { ...writing, words: "Insert a command, at the start of a word", keys: ["/"] },
  offerAgents: { ...writing, words: "Insert an agent or file, at the start of a word", keys: ["@"] },
  editLast: { ...writing, words: "Edit the last queued message, from an empty box", keys: ["ArrowUp"] },

  queueUp: { ...queueing, words: "Move the queued message up", keys: ["Alt+ArrowUp"] },
  queueDown: { ...queueing, words: "Move the queued message down", keys: ["Alt+ArrowDown"] },
  queueRemove: { ...queueing, words: "Remove the queued message", keys: ["Delete"] },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof shortcuts

export const shortcutIds = Object.keys(shortcuts) as readonly ShortcutId[]

export function shortcutOf(id: ShortcutId): Shortcut {
  return shortcuts[id]
}

export function keysOf(id: ShortcutId, isMac: boolean): readonly string[] {
  const { keys, mac } = shortcutOf(id)
  return isMac ? (mac ?? keys) : keys
}

/** Alt and a letter; on a Mac, where that types a character, Ctrl+Shift. */
function letter(key: string) {
  return { keys: [`Alt+${key}`], mac: [`Ctrl+Shift+${key}`] } as const
}
