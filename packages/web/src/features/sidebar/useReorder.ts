import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react"
import { indexAt, movedTo, type Tab } from "../tab/tabList.ts"

/** How far a pointer moves before a drag starts. */
const SLACK_PX = 6

type Drag = { readonly key: string; readonly index: number }

export type Reorder = {
  /** The order if it were dropped now. */
  readonly shown: readonly Tab[]
  readonly dragged: string | undefined
  readonly grip: (tab: Tab) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: () => void
    readonly onPointerCancel: () => void
    readonly onClickCapture: (event: MouseEvent) => void
  }
}

/**
 * Reorders tabs by dragging with a mouse or pen. Touch scrolls instead; there, tabs are moved from their menu. Escape
 * cancels.
 */
export function useReorder(
  open: readonly Tab[],
  list: RefObject<HTMLElement | null>,
  onMove: (tab: Tab, index: number) => void,
): Reorder {
  const start = useRef<{ readonly key: string; readonly y: number } | undefined>(undefined)
  const wasDragged = useRef(false)
  const [drag, setDrag] = useState<Drag>()
  /** The same as a ref, because the drop may come before the next render. */
  const latest = useRef<Drag | undefined>(undefined)
  const dragTo = (next: Drag | undefined) => {
    latest.current = next
    setDrag(next)
  }
  useEffect(() => {
    if (drag === undefined) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      start.current = undefined
      latest.current = undefined
      setDrag(undefined)
    }
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [drag])

  const orderOf = (to: Drag | undefined) => (to === undefined ? undefined : movedTo(open, to.key, to.index))
  const shown = orderOf(drag)?.flatMap((key) => open.find((tab) => tab.key === key) ?? []) ?? open
  const end = () => {
    start.current = undefined
    dragTo(undefined)
  }
  return {
    shown,
    dragged: drag?.key,
    grip: (tab) => ({
      onPointerDown(event) {
        wasDragged.current = false
        if (event.button !== 0 || event.pointerType === "touch") return
        start.current = { key: tab.key, y: event.clientY }
      },
      onPointerMove(event) {
        const from = start.current
        if (from === undefined || from.key !== tab.key) return
        if (latest.current === undefined && Math.abs(event.clientY - from.y) < SLACK_PX) return
        if (!event.currentTarget.hasPointerCapture(event.pointerId))
          event.currentTarget.setPointerCapture(event.pointerId)
        wasDragged.current = true
        const index = indexAt(event.clientY, middlesIn(list.current, tab.key))
        if (latest.current?.index !== index) dragTo({ key: tab.key, index })
      },
      onPointerUp() {
        const index = orderOf(latest.current)?.indexOf(tab.key) ?? -1
        if (index >= 0 && open[index]?.key !== tab.key) onMove(tab, index)
        end()
      },
      onPointerCancel: end,
      onClickCapture(event) {
        if (!wasDragged.current) return
        event.preventDefault()
        event.stopPropagation()
      },
    }),
  }
}

function middlesIn(list: HTMLElement | null, except: string): readonly number[] {
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-tab]") ?? [])]
  return rows
    .filter((row) => row.dataset.tab !== except)
    .map((row) => {
      const { top, height } = row.getBoundingClientRect()
      return top + height / 2
    })
}
