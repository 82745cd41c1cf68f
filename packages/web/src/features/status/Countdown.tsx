import { useNow } from "../../ui/useNow.ts"
import { inWords } from "./inWords.ts"

/** A countdown. Hidden from screen readers, which would announce every second. */
export function Countdown({ until }: { readonly until: number }) {
  const words = inWords(until - useNow(until))
  return <span aria-hidden="true" className="tabular-nums">{` ${words}`}</span>
}
