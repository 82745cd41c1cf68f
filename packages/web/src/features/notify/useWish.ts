import { useState } from "react"
import { t } from "../../texts/en/notify.ts"
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
  if (allowed === "denied") return t("yourBrowserBlocksNotificationsFor")
  if (allowed === "missing") return t("thisBrowserDoesntSupportNotifications")
  return t("whenAnAgentNeedsYou")
}
