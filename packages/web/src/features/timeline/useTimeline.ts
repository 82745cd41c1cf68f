/**
 * The visible rows of a timeline and their positions.
 *
 * The list keeps the row being read in place while rows above it are added or turn out taller than estimated
 * (`anchorTo: "end"`); `useStick` sticks to the newest. The list itself writes positions to the DOM, so that scrolling
 * renders nothing until another row comes into view (TAB-7).
 */
import { elementScroll, useVirtualizer } from "@tanstack/react-virtual"
import { type FocusEvent, type RefObject, useCallback, useEffect, useId, useRef, useState } from "react"
import { mounted } from "../tab/mounted.ts"
import { type InView, rowsToMount } from "./inView.ts"
import type { Order } from "./order.ts"
import { nearPx } from "./stick.ts"
import { type Stick, useStick } from "./useStick.ts"

const OVERSCAN = 6
const BOTTOM_PX = 32
/** Used until the real size is measured. */
const FIRST_VIEW = { width: 800, height: 800 }
/** Larger than any conversation, so that it opens at its newest message. */
const THE_END = 1e9

export type TimelineOptions = {
  readonly order: Order
  readonly probable: (index: number) => number
  /** The height above the first row, in pixels. */
  readonly topPx: number
  /** Rows that stay mounted regardless of scrolling. */
  readonly held: readonly string[]
}

export type Rows = Stick & {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly sizer: (element: HTMLElement | null) => void
  readonly measure: (element: HTMLElement | null) => void
  readonly shown: readonly { readonly key: string; readonly index: number }[]
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: (event: FocusEvent) => void
  /** Scrolls to a row, and stops sticking to the newest if it is elsewhere. */
  readonly goTo: (index: number) => void
  /** Scrolls at once to the estimated position of a row. */
  readonly aim: (index: number, topPx: number) => void
}

export function useTimeline({ order, probable, topPx, held }: TimelineOptions): Rows {
  const scroller = useRef<HTMLDivElement>(null)
  const stick = useStick(scroller)
  const [focused, setFocused] = useState<string>()
  const { keys } = order
  const stays = [...held, ...(focused === undefined ? [] : [focused])].map((key) => keys.indexOf(key)).join(" ")
  const rangeExtractor = useCallback(
    (view: InView) => [...rowsToMount(view, stays === "" ? [] : stays.split(" ").map(Number))],
    [stays],
  )
  const getItemKey = useCallback((index: number) => keys[index] ?? index, [keys])
  const virtual = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: keys.length,
    getScrollElement: () => scroller.current,
    getItemKey,
    estimateSize: probable,
    rangeExtractor,
    overscan: OVERSCAN,
    scrollMargin: topPx,
    paddingEnd: BOTTOM_PX,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: nearPx,
    initialRect: FIRST_VIEW,
    initialOffset: THE_END,
    directDomUpdates: true,
    directDomUpdatesMode: "position",
    scrollToFn: (...scroll) => stick.carry(() => elementScroll(...scroll)),
    onChange: stick.settle,
  })
  const items = virtual.getVirtualItems()
  const goTo = useCallback(
    (index: number) => {
      stick.leave()
      virtual.scrollToIndex(index, { align: "center" })
    },
    [stick.leave, virtual],
  )
  const aim = useCallback(
    (index: number, topPx: number) => {
      const [start] = virtual.getOffsetForIndex(index, "start") ?? []
      if (scroller.current === null || start === undefined) return
      scroller.current.scrollTop = start - topPx
      // Set before the browser's scroll event, so that the next render shows the rows in view there.
      virtual.scrollOffset = scroller.current.scrollTop
    },
    [virtual],
  )
  const id = useId()
  useEffect(() => mounted.set(id, items.length), [id, items.length])
  useEffect(() => () => mounted.set(id, 0), [id])
  return {
    ...stick,
    scroller,
    sizer: virtual.containerRef,
    measure: virtual.measureElement,
    shown: items.map(({ index }) => ({ key: keys[index] ?? String(index), index })),
    onFocus: (event) => setFocused(rowOf(event.target)),
    onBlur: (event) => setFocused(rowOf(event.relatedTarget)),
    goTo,
    aim,
  }
}

function rowOf(element: EventTarget | null): string | undefined {
  if (!(element instanceof Element)) return undefined
  return element.closest<HTMLElement>("[data-row]")?.dataset.row
}
