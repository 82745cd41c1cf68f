/** How many messages of a long queue are shown. Pure. */
import { t } from "../../texts/en/queue.ts"
export const FIRST_SHOWN = 12
export const MORE_SHOWN = 20
/** If only one or two would be hidden, show them instead of a button. */
const FEW = 2

export function shownCount(waiting: number, wanted: number): number {
  return waiting <= wanted + FEW ? waiting : wanted
}

export function moreWords(waiting: number, shown: number): string {
  const rest = waiting - shown
  return rest <= MORE_SHOWN ? t("showRestMore", { rest }) : t("showSomeOf", { some: MORE_SHOWN, rest })
}

/** A queue of many long messages is not loaded as a whole. */
export function unreadWords(unread: number): string {
  return t("moreAppearHere", { count: unread })
}
