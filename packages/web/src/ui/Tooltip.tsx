/**
 * A short description of an element, on hover and on focus. It never contains information that is not also elsewhere, so
 * screen readers skip it. The page has one tooltip, which looks for `data-tip`: each use costs only an attribute.
 *
 *   none ──hover, delay────▶ shown ──leaving──▶ fading (the next one shows at once) ──short delay──▶ none
 *   none ──focus by Tab────▶ shown ──any press, scrolling, Escape──▶ none
 */
import { Slot } from "radix-ui"
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"
import { tipPlace } from "./tipPlace.ts"

const SLOW_MS = 500
const FADING_MS = 300

export type TooltipProps = { readonly says: string; readonly keys?: string | undefined; readonly children: ReactNode }

/** Wraps one element, which gets the tooltip. */
export function Tooltip({ says, keys, children }: TooltipProps) {
  return (
    <Slot.Root data-tip={says} {...(keys === undefined ? {} : { "data-tip-keys": keys })}>
      {children}
    </Slot.Root>
  )
}

/** Wraps the page, once. */
export function Tooltips({ children }: { readonly children: ReactNode }) {
  const [about, setAbout] = useState<HTMLElement>()
  useEffect(() => watch(setAbout), [])
  return (
    <>
      {children}
      {about && <Tip key={about.dataset.tip} about={about} />}
    </>
  )
}

function Tip({ about }: { readonly about: HTMLElement }) {
  const tip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = tip.current
    if (element === null) return
    // In the top layer, even over dialogs.
    element.showPopover()
    const view = { width: window.innerWidth, height: window.innerHeight }
    const { left, top } = tipPlace(about.getBoundingClientRect(), element.getBoundingClientRect(), view)
    element.style.translate = `${left}px ${top}px`
  }, [about])
  return (
    <div
      ref={tip}
      popover="manual"
      aria-hidden="true"
      className="pointer-events-none fixed inset-auto top-0 left-0 m-0 w-max max-w-72 rounded-lg border-0 bg-ink px-2.5 py-1.5 text-page text-xs shadow-float"
    >
      {about.dataset.tip}
      {about.dataset.tipKeys !== undefined && <kbd className="ml-2 font-sans">{about.dataset.tipKeys}</kbd>}
    </div>
  )
}

function watch(show: (about: HTMLElement | undefined) => void): () => void {
  const left = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownAt = Number.NEGATIVE_INFINITY
  let shown: HTMLElement | undefined
  const put = (about: HTMLElement | undefined) => {
    clearTimeout(timer)
    if (shown !== undefined) shownAt = Date.now()
    shown = about
    show(about)
  }
  const over = (event: PointerEvent) => {
    if (event.pointerType === "touch") return
    const about = tipped(event.target)
    if (about === shown) return
    put(undefined)
    if (about === undefined) return
    timer = setTimeout(() => about.isConnected && put(about), Date.now() - shownAt < FADING_MS ? 0 : SLOW_MS)
  }
  // An opening dialog also moves the focus: show the tooltip only for focus moved by Tab.
  let isTabbing = false
  const focus = (event: FocusEvent) => put(isTabbing ? tipped(event.target) : undefined)
  const key = (event: KeyboardEvent) => {
    isTabbing = event.key === "Tab"
    put(undefined)
  }
  const options = { capture: true, passive: true, signal: left.signal }
  document.addEventListener("pointerover", over, options)
  document.addEventListener("focusin", focus, options)
  document.addEventListener("keydown", key, options)
  for (const name of ["focusout", "pointerdown", "scroll", "click"])
    document.addEventListener(name, () => put(undefined), options)
  return () => {
    left.abort()
    clearTimeout(timer)
  }
}

function tipped(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>("[data-tip]") ?? undefined) : undefined
}
