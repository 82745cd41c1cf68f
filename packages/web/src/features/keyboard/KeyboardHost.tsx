import { lazy, Suspense, useEffect } from "react"
import { useOpening } from "../../ui/useOpening.ts"
import { digitFor, type Focus, shortcutFor } from "./registry.ts"
import { onMac, registry, useShortcut } from "./useShortcut.ts"

const KeyboardList = lazy(() => import("./KeyboardList.tsx"))

/** Handles the page's keyboard shortcuts and shows their list. Rendered once. */
export function KeyboardHost() {
  const { key, open, close } = useOpening()
  useShortcut("keyboard", open)
  useShortcut("write", () => document.querySelector<HTMLElement>(COMPOSER_BOX)?.focus())
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [])
  if (key === undefined) return null
  return (
    <Suspense>
      <KeyboardList key={key} onClose={close} />
    </Suspense>
  )
}

/** The message box, plain or rich. */
const COMPOSER = 'form[aria-label="Write a message"]'
const COMPOSER_BOX = `${COMPOSER} :is(textarea, [contenteditable="true"])`
const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable]'

function onKeyDown(event: KeyboardEvent): void {
  // Some browsers report AltGr as Ctrl+Alt; it types characters.
  if (event.defaultPrevented || event.isComposing || event.getModifierState("AltGraph")) return
  const id = shortcutFor(event, focusNow(event), onMac)
  if (id === undefined || !registry.run(id, digitFor(id, event))) return
  event.preventDefault()
}

function focusNow(event: KeyboardEvent): Focus {
  const at = event.target instanceof Element ? event.target : document.body
  return {
    isTyping: at.closest(TYPED_INTO) !== null,
    inComposer: at.closest(COMPOSER) !== null,
    isBehindDialog: document.querySelector("dialog:modal") !== null,
  }
}
