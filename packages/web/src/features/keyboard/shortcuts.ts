/**
 * Every key of the page, once (TAB-12). What is dispatched, the shown list, the command palette and the tooltips all
 * read this table. Pure.
 *
 * Keys are written as `Mod+K`: `Mod` is ⌘ on a Mac and Ctrl elsewhere. Alt with a letter writes a sign on a Mac, so
 * there it is Ctrl and Shift. None is one of a browser's own (Ctrl+T, W, N, Tab), and one that could be typed works
 * only where nothing is being typed.
 */
export const groups = ["Everywhere", "Go to", "This conversation", "Writing", "The queue"] as const
type Group = (typeof groups)[number]

/** `page`: not while something is being typed. `composer`, `queue`: while the focus is there. */
export type Where = "anywhere" | "page" | "composer" | "queue"

export type Shortcut = {
  readonly words: string
  readonly group: Group
  /** Any of them. */
  readonly keys: readonly string[]
  /** Where a Mac's differ. */
  readonly mac?: readonly string[]
  readonly where: Where
  /** Its own place listens for it: it is in the table to be shown, and to be matched there. */
  readonly isLocal?: boolean
  /** Not a thing to choose from the palette, because it needs a number or a place. */
  readonly isUnlisted?: boolean
}

const anywhere = { group: "Everywhere", where: "anywhere" } as const
const going = { group: "Go to", where: "anywhere" } as const
const talk = { group: "This conversation", where: "anywhere" } as const
const writing = { group: "Writing", where: "composer", isLocal: true, isUnlisted: true } as const
const queueing = { group: "The queue", where: "queue", isLocal: true, isUnlisted: true } as const

const shortcuts = {
  palette: { ...anywhere, words: "Find anything, do anything", keys: ["Mod+K"], isUnlisted: true },
  keyboard: { ...anywhere, words: "Show all keys", keys: ["Mod+/", "?"] },
  settings: { ...anywhere, words: "Settings", keys: ["Alt+,"], mac: ["Ctrl+,"] },
  reopenTab: { ...anywhere, words: "Reopen the tab closed last", keys: ["Alt+Shift+T"], mac: ["Ctrl+Shift+Z"] },
  newTopic: { ...anywhere, words: "New topic", ...letter("N") },

  previousTab: { ...going, words: "Previous tab", keys: ["Alt+ArrowUp"] },
  nextTab: { ...going, words: "Next tab", keys: ["Alt+ArrowDown"] },
  numberedTab: { ...going, words: "First to ninth tab", ...letter("1…9"), mac: ["Ctrl+1…9"], isUnlisted: true },
  search: { ...going, words: "Search everything", keys: ["Alt+Shift+F"], mac: ["Ctrl+Shift+L"] },
  files: { ...going, words: "Files", ...letter("F") },
  memory: { ...going, words: "Memory", ...letter("M") },
  triggers: { ...going, words: "Triggers", ...letter("T") },
  chapters: { ...going, words: "Chapters", ...letter("C") },
  attachments: { ...going, words: "Attachments", ...letter("U") },
  inspect: { ...going, words: "Inspector", ...letter("I") },

  find: { ...talk, words: "Find in this conversation", keys: ["Mod+F"] },
  aside: { ...talk, words: "Ask aside", ...letter("S") },
  rename: { ...talk, words: "Rename", keys: ["F2"] },
  pin: { ...talk, words: "Pin or unpin this tab", ...letter("P") },
  closeTab: { ...talk, words: "Close this tab", ...letter("W") },
  rollBack: { ...talk, words: "Roll back to before my last message", ...letter("R") },
  newest: { ...talk, words: "Go to the newest message", keys: ["Alt+End"] },
  answerAsk: { ...talk, words: "Go to what the agent waits for", ...letter("A") },
  focusQueue: { ...talk, words: "Go to the queue", ...letter("Q") },

  write: { group: "Writing", where: "page", words: "Write a message", keys: ["/"] },
  stop: { group: "Writing", where: "composer", words: "Stop the answer", keys: ["Escape"] },
  send: { ...writing, words: "Send; while busy, queue or join the answer as chosen", keys: ["Enter"] },
  newLine: { ...writing, words: "New line", keys: ["Shift+Enter"] },
  join: { ...writing, words: "While busy, the other one: join the answer, or queue", keys: ["Mod+Enter"] },
  offerCommands: { ...writing, words: "Choose a command, at the start of a word", keys: ["/"] },
  offerAgents: { ...writing, words: "Choose an agent or a file, at the start of a word", keys: ["@"] },
  editLast: { ...writing, words: "Edit the last waiting message, from an empty box", keys: ["ArrowUp"] },

  queueUp: { ...queueing, words: "Move the waiting message up", keys: ["Alt+ArrowUp"] },
  queueDown: { ...queueing, words: "Move the waiting message down", keys: ["Alt+ArrowDown"] },
  queueRemove: { ...queueing, words: "Remove the waiting message", keys: ["Delete"] },
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

/** Alt and a letter; on a Mac, where that writes a sign, Ctrl and Shift. */
function letter(key: string) {
  return { keys: [`Alt+${key}`], mac: [`Ctrl+Shift+${key}`] } as const
}
