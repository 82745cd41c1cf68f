import type { StatusRow } from "@parlor/protocol"
import { Hand, Play } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { heldWords } from "./heldWords.ts"

export type QueueHeadProps = {
  readonly count: number
  readonly held: StatusRow["held"]
  readonly onHold: () => void
  readonly onResume: () => void
  readonly onClear: () => void
}

export function QueueHead({ count, held, onHold, onResume, onClear }: QueueHeadProps) {
  const [sure, setSure] = useState(false)
  const clear = () => {
    setSure(false)
    onClear()
  }
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-1 px-2.5 text-xs">
      <h2 className="mr-auto py-1 font-medium text-muted">
        {sure ? (
          <span className="text-ink">{count === 1 ? "Remove what waits?" : `Remove all ${count}?`}</span>
        ) : (
          <>
            {held !== null && <span className="text-warn">{heldWords(held)} · </span>}
            {count} waiting
          </>
        )}
      </h2>
      {sure ? (
        <>
          <Act onClick={clear}>Remove</Act>
          <Act onClick={() => setSure(false)} focused>
            Keep
          </Act>
        </>
      ) : (
        <>
          {held === null ? (
            <Act onClick={onHold} title="Nothing starts by itself until you resume">
              <Hand aria-hidden className="size-3.5" /> Hold
            </Act>
          ) : (
            <Act onClick={onResume} strong>
              <Play aria-hidden className="size-3.5" /> Resume
            </Act>
          )}
          <Act onClick={() => setSure(true)}>Clear all</Act>
        </>
      )}
    </div>
  )
}

type ActProps = {
  readonly onClick: () => void
  readonly title?: string
  readonly strong?: boolean
  /** Takes the focus over from the button it came in place of. */
  readonly focused?: boolean
  readonly children: ReactNode
}

function Act({ strong, focused, ...rest }: ActProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused === true) button.current?.focus()
  }, [focused])
  const look = strong === true ? "font-medium text-accent" : "text-muted hover:text-ink"
  const shape =
    "inline-flex items-center gap-1 rounded-md px-2 py-1 transition-colors hover:bg-line/60 pointer-coarse:min-h-10"
  return <button ref={button} type="button" className={`${shape} ${look}`} {...rest} />
}
