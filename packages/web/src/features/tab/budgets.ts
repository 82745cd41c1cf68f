/** Memory budgets of the page (TAB-5), and other limits of tabs. */
export const budgets = {
  /** Conversations whose messages are in memory, including the one in front. */
  hydratedTabs: 5,
  messageLists: 1,
  timelineItems: 200,
  streamingBytes: 1024 * 1024,
  filePreviewBytes: 10 * 1024 * 1024,
  backgroundRestores: 2,
} as const

export type BudgetName = keyof typeof budgets

/** A tab idle for this long drops its messages. */
export const IDLE_MS = 10 * 60_000
/** How often idle tabs are checked. */
export const TICK_MS = 30_000
/** Snapshots kept in the browser, not counting pinned tabs. */
export const KEPT_SNAPSHOTS = 30
export const SNAPSHOT_MESSAGES = 30
export const SNAPSHOT_BYTES = 256 * 1024
/** How long after the last change a snapshot of the conversation in front is saved. */
export const KEEP_PAUSE_MS = 1_000
/** How long a conversation must be visible before it counts as read. */
export const READ_PAUSE_MS = 300
/** How long the pointer rests on a tab before it is preloaded. */
export const INTENT_MS = 120
/** Tabs listed before "Show all". */
export const LISTED_TABS = 60
/** Rows stored for the first paint after a reload. */
export const KEPT_SUMMARIES = 60
export const KEPT_BEGUN = 20
