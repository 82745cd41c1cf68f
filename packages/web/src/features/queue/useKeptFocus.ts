import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react"

/** A list item that moves takes its focus along: browsers drop it when an element changes its place. */
export function useKeptFocus(order: string): {
  readonly list: RefObject<HTMLOListElement | null>
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: (event: FocusEvent) => void
} {
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef<HTMLElement>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what moves elements
  useLayoutEffect(() => {
    if (document.activeElement !== document.body || !list.current?.contains(focused.current ?? null)) return
    focused.current?.focus()
  }, [order])
  return {
    list,
    onFocus: (event) => {
      if (event.target instanceof HTMLElement) focused.current = event.target
    },
    // Leaving for another element is a wish; losing the focus to nothing is not.
    onBlur: (event) => {
      if (event.relatedTarget !== null) focused.current = undefined
    },
  }
}
