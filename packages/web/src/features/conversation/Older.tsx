import { useState } from "react"
import { Button } from "../../ui/Button.tsx"

/** Older messages on request. */
export function Older({ onLoad }: { readonly onLoad: () => Promise<unknown> }) {
  const [state, setState] = useState<"resting" | "loading" | "failed">("resting")
  const load = () => {
    setState("loading")
    onLoad().then(
      () => setState("resting"),
      () => setState("failed"),
    )
  }
  return (
    <div className="mb-6 flex justify-center">
      <Button onClick={load} look="pill" disabled={state === "loading"}>
        {state === "loading" ? "Loading…" : state === "failed" ? "That failed. Try again" : "Load older messages"}
      </Button>
    </div>
  )
}
