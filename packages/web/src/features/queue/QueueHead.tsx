import type { StatusRow } from "@parlor/protocol"
import { Pause, Play } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/queue.ts"
import { heldWords } from "./heldWords.ts"

export type QueueHeadProps = {
  readonly count: number
  readonly held: StatusRow["held"]
  readonly onHold: () => void
  readonly onResume: () => void
  readonly onClear: () => void
}

export function QueueHead({ count, held, onHold, onResume, onClear }: QueueHeadProps) {
  /** The number of messages that the person was asked about. If it changes, the question no longer holds. */
  const [askedAbout, setAskedAbout] = useState<number>()
  const sure = askedAbout === count
  const setSure = (isSure: boolean) => setAskedAbout(isSure ? count : undefined)
  useEffect(() => setAskedAbout((about) => (about === count ? about : undefined)), [count])
  const clear = () => {
    setSure(false)
    onClear()
  }
  return (
    <div className="flex min-h-8 items-center gap-x-1 px-2.5 text-xs">
      <h2 className="mr-auto min-w-0 truncate py-1 font-medium text-muted">
        {sure ? (
          <span className="text-ink">{t("removeAll", { count })}</span>
        ) : (
          <>
            {held !== null && <span className="text-warn">{heldWords(held)} · </span>}
            {t("queued", { count })}
          </>
        )}
      </h2>
      {sure ? (
        <>
          <Act onClick={clear}>{common("remove")}</Act>
          <Act onClick={() => setSure(false)} focused>
            {common("cancel")}
          </Act>
        </>
      ) : (
        <>
          {held === null ? (
            <Act onClick={onHold} title={t("noQueuedMessageStartsUntil")}>
              <Pause aria-hidden className="size-3.5" /> {t("pause")}
            </Act>
          ) : (
            <Act onClick={onResume} strong>
              <Play aria-hidden className="size-3.5" /> {t("resume")}
            </Act>
          )}
          <Act onClick={() => setSure(true)}>{t("clearAll")}</Act>
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
    "inline-flex shrink-0 items-center gap-1 whitespace-nowrap rounded-md px-2 py-1 transition-colors hover:bg-line/60 pointer-coarse:min-h-10"
  return <button ref={button} type="button" className={`${shape} ${look}`} {...rest} />
}
