import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react"
import { t } from "../../texts/en/pane.ts"
import { useMedia } from "../../ui/useMedia.ts"
import { keptWidth, LEAST, MOST, movedBy, underPointer } from "../branch/sidePlace.ts"
import { browserKeep } from "../keep/keep.ts"

const KEPT_AS = "parlor.side-width"

export type SplitProps = {
  readonly front: ReactNode
  /** False when the side pane is closed. */
  readonly side: ReactNode
}

/** The front and side panes; on narrow screens the side pane covers the front. */
export function Split({ front, side }: SplitProps) {
  const isNarrow = useMedia("(max-width: 47.99rem)")
  const room = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(() => keptWidth(browserKeep.read(KEPT_AS)))
  const isOpen = side !== false && side !== undefined && side !== null
  const settle = (next: number) => {
    setWidth(next)
    browserKeep.write(KEPT_AS, String(next))
  }
  return (
    <div ref={room} className="flex min-w-0 flex-1">
      <main className="flex min-w-0 flex-1 flex-col" inert={isOpen && isNarrow}>
        {front}
      </main>
      {isOpen && !isNarrow && <Separator width={width} room={() => room.current} onMove={settle} />}
      {isOpen && (
        <aside
          aria-label={t("sideChat")}
          style={isNarrow ? undefined : { width: `${width}%` }}
          className="flex min-w-0 shrink-0 flex-col max-md:fixed max-md:inset-0 max-md:z-40 max-md:animate-arrive max-md:bg-page"
        >
          {side}
        </aside>
      )}
    </div>
  )
}

type SeparatorProps = {
  readonly width: number
  readonly room: () => HTMLElement | null
  readonly onMove: (width: number) => void
}

function Separator({ width, room, onMove }: SeparatorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event.key, width)
    if (next === undefined) return
    event.preventDefault()
    onMove(next)
  }
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = room()?.getBoundingClientRect()
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) onMove(underPointer(event.clientX, box))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator is not an <hr>.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t("widthOfTheSideChat")}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.focus()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={follow}
      className="relative w-px shrink-0 cursor-col-resize touch-none bg-line outline-offset-0 after:absolute after:inset-y-0 after:-left-1.5 after:w-3 hover:bg-accent focus-visible:bg-accent"
    />
  )
}
