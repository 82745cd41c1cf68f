/** A long list of conversations shows its beginning. Pure. */
import { LISTED_TABS } from "../tab/budgets.ts"
import type { Tab } from "../tab/tabList.ts"

/** The first ones, and always the conversation in front. */
export function firstOf(tabs: readonly Tab[], front: string): readonly Tab[] {
  return tabs.filter(({ key }, index) => index < LISTED_TABS || key === front)
}

/** The look of the buttons that show more of a list. */
export const QUIET_BUTTON =
  "flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-muted text-xs transition-colors hover:bg-line/50 hover:text-ink pointer-coarse:py-2.5"
