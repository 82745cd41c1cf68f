import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react"

/**
 * Keeps the focus when a list item moves, and passes it to the next when one is removed: browsers drop it in both
 * cases.
 */
export function useKeptFocus(
  order: string,
  /** Called when the list is empty. */
  elsewhere: () => void,
): {
  readonly list: RefObject<HTMLOListElement | null>
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: (event: FocusEvent) => void
} {
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef<{ readonly element: HTMLElement; readonly index: number }>(undefined)
  const note = (element: HTMLElement) => {
    const item = element.closest("li")
    focused.current = { element, index: item ? [...(list.current?.children ?? [])].indexOf(item) : 0 }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed order moves elements
  useLayoutEffect(() => {
    const last = focused.current
    if (last === undefined) return
    if (list.current?.contains(last.element)) {
      note(last.element)
      if (document.activeElement === document.body) last.element.focus()
      return
    }
    if (last.element.isConnected || document.activeElement !== document.body) return
    focused.current = undefined
    const items = list.current?.children
    const next = items?.[Math.min(last.index, items.length - 1)]?.querySelector("button")
    if (next) next.focus()
    else elsewhere()
  }, [order])
  return {
    list,
    onFocus: (event) => {
      if (event.target instanceof HTMLElement) note(event.target)
    },
    // Moving to another element is intended; losing the focus to nothing is not.
    onBlur: (event) => {
      if (event.relatedTarget !== null) focused.current = undefined
    },
  }
}
