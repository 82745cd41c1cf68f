import { useNow } from "../../ui/useNow.ts"
import { inWords } from "./inWords.ts"

/** How long it still takes. Not for screen readers, who would be told every second. */
export function Countdown({ until }: { readonly until: number }) {
  const words = inWords(until - useNow(until))
  return <span aria-hidden="true" className="tabular-nums">{` ${words}`}</span>
}
