import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/timeline.ts"
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
        {state === "loading" ? common("loading") : state === "failed" ? t("failedTryAgain") : t("loadOlderMessages")}
      </Button>
      {count !== undefined && <span className="text-muted text-xs">{t("countMoreAbove", { count })}</span>}
    </div>
  )
}
