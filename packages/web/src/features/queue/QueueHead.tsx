import type { StatusRow } from "@parlor/protocol"
import { Pause, Play } from "lucide-react"
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
          <span className="text-ink">{count === 1 ? "Remove the queued message?" : `Remove all ${count}?`}</span>
        ) : (
          <>
            {held !== null && <span className="text-warn">{heldWords(held)} · </span>}
            {count} queued
          </>
        )}
      </h2>
      {sure ? (
        <>
          <Act onClick={clear}>Remove</Act>
          <Act onClick={() => setSure(false)} focused>
            Cancel
          </Act>
        </>
      ) : (
        <>
          {held === null ? (
            <Act onClick={onHold} title="No queued message starts until you resume">
              <Pause aria-hidden className="size-3.5" /> Pause
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
  /** Takes the focus from the button it replaces. */
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
