import { useEffect, useState } from "react"
import { t } from "../../texts/en/message.ts"

/** How long nothing new may arrive before the page says that the agent is still at work. */
const QUIET_MS = 8_000
const TICK_MS = 1_000

/** A sign that a reply which has paused is not over, with the time since (MSG-6). `since` changes with each new word. */
export function StillWorking({ since }: { readonly since: unknown }) {
  const [seconds, setSeconds] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new word starts the time again
  useEffect(() => {
    setSeconds(0)
    const began = Date.now()
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - began) / 1_000)), TICK_MS)
    return () => clearInterval(timer)
  }, [since])
  if (seconds * 1_000 < QUIET_MS) return null
  return (
    <p className="mt-2 flex items-center gap-2 text-muted text-sm">
      <span aria-hidden className="size-1.5 animate-breathe rounded-full bg-accent" />
      {t("stillWorking")}
      <span aria-hidden className="tabular-nums">
        {seconds} s
      </span>
    </p>
  )
}
