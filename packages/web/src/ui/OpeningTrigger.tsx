import { Slot } from "radix-ui"
import { type KeyboardEvent, type ReactNode, type Ref, type RefObject, useRef } from "react"

export type OpeningTriggerProps = {
  readonly opens: "menu" | "dialog"
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly anchor: RefObject<HTMLElement | null>
  /** One button. */
  readonly children: ReactNode
}

/** A button that opens something, before the code of what it opens is loaded. */
export function OpeningTrigger({ opens, isOpen, onOpenChange, anchor, children }: OpeningTriggerProps) {
  // A press outside of what is open closes it, and the button is outside: its click must not open it again.
  const wasOpen = useRef(false)
  const onKeyDown = (event: KeyboardEvent) => {
    wasOpen.current = isOpen
    if (opens !== "menu" || event.key !== "ArrowDown") return
    event.preventDefault()
    onOpenChange(true)
  }
  return (
    <Slot.Root
      ref={anchor as Ref<HTMLElement>}
      aria-haspopup={opens}
      aria-expanded={isOpen}
      data-state={isOpen ? "open" : "closed"}
      onPointerDown={() => {
        wasOpen.current = isOpen
      }}
      onKeyDown={onKeyDown}
      onClick={() => onOpenChange(!wasOpen.current)}
    >
      {children}
    </Slot.Root>
  )
}

/** What screen readers call the button, for what it opens. */
export function nameOf(element: HTMLElement | null): string {
  return element?.getAttribute("aria-label") ?? element?.textContent ?? ""
}
