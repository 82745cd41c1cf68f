import type { ToolPart } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { t } from "../../texts/en/message.ts"
import { Progress, percentOf } from "../../ui/Progress.tsx"

/** A shorter wait needs no number. */
const SHOWN_FROM_SECONDS = 2
const TICK_MS = 1_000

/** How long a tool has been running, and what it reports (MSG-20). */
export function Running({ part }: { readonly part: Pick<ToolPart, "startedAt" | "progress"> }) {
  const seconds = useSeconds(part.startedAt)
  const { text = "", done, total } = part.progress ?? {}
  return (
    <span className="flex shrink-0 items-center gap-2 text-muted text-xs">
      {text !== "" && <span className="max-w-48 truncate max-md:max-w-28">{text}</span>}
      {done !== undefined && total !== undefined && (
        <Progress label={t("progress")} percent={percentOf(done / total)} className="w-16" />
      )}
      {seconds < SHOWN_FROM_SECONDS ? (
        text === "" && <span>{t("running")}</span>
      ) : (
        <span className="tabular-nums">{elapsed(seconds)}</span>
      )}
    </span>
  )
}

/** By this page's clock: the server's may differ, so a start in the future counts as now. */
function useSeconds(startedAt: number | undefined): number {
  const [began] = useState(() => Math.min(startedAt ?? Date.now(), Date.now()))
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - began) / 1_000))
}

function elapsed(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds} s` : `${minutes}:${String(seconds % 60).padStart(2, "0")}`
}
