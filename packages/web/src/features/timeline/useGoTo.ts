import { type RefObject, useEffect } from "react"
import { flash } from "./flash.ts"

type Rows = { readonly scroller: RefObject<HTMLElement | null>; readonly goTo: (index: number) => void }

/** Scrolls to the named message once it is loaded, and highlights it. */
export function useGoTo(rows: Rows, keys: readonly string[], message: string | undefined): void {
  const index = message === undefined ? -1 : keys.indexOf(message)
  const isThere = index !== -1
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once; after that the person scrolls.
  useEffect(() => {
    const list = rows.scroller.current
    if (message === undefined || !isThere || list === null) return
    rows.goTo(index)
    return flash(list, message)
  }, [message, isThere])
}
