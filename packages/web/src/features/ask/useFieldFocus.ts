import { type RefObject, useEffect } from "react"

/**
 * A new ask takes the focus into its first field, unless the person is writing. Never a button: a key that is pressed
 * at that moment would answer.
 */
export function useFieldFocus(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const field = card.current?.querySelector<HTMLElement>("input, select, textarea")
    if (!field || !window.matchMedia("(pointer: fine)").matches || isWriting(document.activeElement)) return
    field.focus({ preventScroll: true })
  }, [card])
}

function isWriting(at: Element | null): boolean {
  if (at === null || at === document.body) return false
  if (at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement) return at.value !== ""
  return at.matches("[role=textbox]")
    ? (at.textContent ?? "").trim() !== ""
    : at.closest("dialog, [role=menu]") !== null
}
