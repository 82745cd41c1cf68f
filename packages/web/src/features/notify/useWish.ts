import { useState } from "react"
import { type Allowed, allowedNow, askToCall, keepWish, type Wish, wishIn } from "./calls.ts"

export type WishState = {
  readonly wish: Wish
  readonly allowed: Allowed
  readonly choose: (wish: "on" | "off") => Promise<void>
}

/** Whether the person wants to be called, and what the browser says to that. */
export function useWish(): WishState {
  const [wish, setWish] = useState(wishIn)
  const [allowed, setAllowed] = useState(allowedNow)
  const choose = async (next: "on" | "off") => {
    const chosen = next === "on" && !(await askToCall()) ? "off" : next
    keepWish(chosen)
    setWish(chosen)
    setAllowed(allowedNow())
  }
  return { wish, allowed, choose }
}

/** What the switch says below itself. */
export function wishHint(allowed: Allowed): string {
  if (allowed === "denied") return "The browser does not let this page tell you. Allow it beside the address."
  if (allowed === "missing") return "This browser cannot."
  return "When an agent waits for you, is done or fails while you are elsewhere."
}
