/** What the page allows itself to hold (TAB-5), and the other limits of tabs. */
export const budgets = {
  /** Conversations whose messages are in memory, the one in front among them. */
  hydratedTabs: 5,
  messageLists: 1,
  timelineItems: 200,
  streamingBytes: 1024 * 1024,
  filePreviewBytes: 10 * 1024 * 1024,
  backgroundRestores: 2,
} as const

export type BudgetName = keyof typeof budgets

/** A tab that was not looked at for so long lets go of its messages. */
export const IDLE_MS = 10 * 60_000
/** How often idle tabs are looked for. */
export const TICK_MS = 30_000
/** What is kept in the browser of conversations that are not in memory. Pinned ones come on top of it. */
export const KEPT_SNAPSHOTS = 30
export const SNAPSHOT_MESSAGES = 30
export const SNAPSHOT_BYTES = 256 * 1024
/** How long after the last change a snapshot of the conversation in front is kept. */
export const KEEP_PAUSE_MS = 1_000
/** How long one looks at something before it counts as read. */
export const READ_PAUSE_MS = 300
/** How long the pointer rests on a tab before it is loaded ahead. */
export const INTENT_MS = 120
/** Tabs that are shown without asking for more. */
export const LISTED_TABS = 60
/** Rows whose last words are kept for the first moment after a reload. */
export const KEPT_SUMMARIES = 60
export const KEPT_CLOSED = 50
export const KEPT_BEGUN = 20
export const KEPT_ORDER = 500
