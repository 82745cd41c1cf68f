import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react"
import { indexAt, movedTo, type Tab } from "./tabList.ts"

/** So far a pointer moves before it drags: a click is a click. */
const SLACK_PX = 6

export type Reorder = {
  /** The tabs as they would be if it were let go now. */
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
 * Dragging a tab to another place in the list, with a mouse or a pen. A finger scrolls: it moves tabs by their menu. Escape
 * puts everything back.
 */
export function useReorder(
  open: readonly Tab[],
  list: RefObject<HTMLElement | null>,
  onMove: (tab: Tab, index: number) => void,
): Reorder {
  const start = useRef<{ readonly key: string; readonly y: number } | undefined>(undefined)
  const wasDragged = useRef(false)
  const [drag, setDrag] = useState<{ readonly key: string; readonly index: number }>()
  useEffect(() => {
    if (drag === undefined) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      start.current = undefined
      setDrag(undefined)
    }
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [drag])

  const order = drag === undefined ? undefined : movedTo(open, drag.key, drag.index)
  const shown = order === undefined ? open : order.flatMap((key) => open.find((tab) => tab.key === key) ?? [])
  const end = () => {
    start.current = undefined
    setDrag(undefined)
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
        if (drag === undefined && Math.abs(event.clientY - from.y) < SLACK_PX) return
        if (!event.currentTarget.hasPointerCapture(event.pointerId))
          event.currentTarget.setPointerCapture(event.pointerId)
        wasDragged.current = true
        const index = indexAt(event.clientY, middlesIn(list.current, tab.key))
        if (drag?.index !== index) setDrag({ key: tab.key, index })
      },
      onPointerUp() {
        const index = drag === undefined ? -1 : shown.findIndex(({ key }) => key === drag.key)
        if (drag !== undefined && open[index]?.key !== drag.key) onMove(tab, index)
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
