import { useState } from "react"
import { type Allowed, allowedNow, askToCall, keepWish, type Wish, wishIn } from "./calls.ts"

export type WishState = {
  readonly wish: Wish
  readonly allowed: Allowed
  readonly choose: (wish: "on" | "off") => Promise<void>
}

/** Whether desktop notifications are on, and whether the browser allows them. */
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

/** The hint below the switch. */
export function wishHint(allowed: Allowed): string {
  if (allowed === "denied")
    return "Your browser blocks notifications for this page. Allow them in the site settings next to the address bar."
  if (allowed === "missing") return "This browser doesn't support notifications."
  return "When an agent needs you, finishes or fails while you are away."
}
