import type { MessageRow } from "@parlor/protocol"
import { type RefObject, useContext } from "react"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { ActsContext } from "./acts.ts"

/** Rolls back to before the person's last message. Asks first, like the button. */
export function useRollbackKey(messages: readonly MessageRow[], at: RefObject<Element | null>): void {
  const acts = useContext(ActsContext)
  const last = messages.findLast(({ role, dimmed }) => role === "person" && !dimmed)
  useShortcut("rollBack", () => last && acts?.rollBack(last), acts !== undefined && last !== undefined, at)
}
