import { useState } from "react"
import { Button } from "../../ui/Button.tsx"

export type OlderProps = {
  /** The number of older messages, if known. */
  readonly count: number | undefined
  readonly onLoad: () => Promise<unknown>
}

/** Loads older messages, only on request (TAB-2). */
export function Older({ count, onLoad }: OlderProps) {
  const [state, setState] = useState<"resting" | "loading" | "failed">("resting")
  const load = () => {
    setState("loading")
    onLoad().then(
      () => setState("resting"),
      () => setState("failed"),
    )
  }
  return (
    <div className="flex h-full items-center justify-center gap-3">
      <Button onClick={load} look="pill" disabled={state === "loading"}>
        {state === "loading" ? "Loading…" : state === "failed" ? "Failed. Try again" : "Load older messages"}
      </Button>
      {count !== undefined && <span className="text-muted text-xs">{count.toLocaleString()} more above</span>}
    </div>
  )
}
