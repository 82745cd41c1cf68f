import type { StatusRow } from "@parlor/protocol"
import { RotateCw } from "lucide-react"
import { Countdown } from "./Countdown.tsx"

export type RetryNoteProps = { readonly status: Pick<StatusRow, "attempt" | "retryAt" | "error"> }

/** A model that did not answer, where its answer would be: what it said, and when it is asked again (TRN-10). */
export function RetryNote({ status }: RetryNoteProps) {
  return (
    <div className="mt-4 flex animate-arrive gap-3 rounded-xl bg-warn-tint px-4 py-3 text-sm">
      <RotateCw aria-hidden className="mt-0.5 size-4 shrink-0 animate-spin-slow text-warn" />
      <div className="min-w-0">
        <p className="font-medium text-warn">
          The model did not answer. It is asked again{status.retryAt !== null && <Countdown until={status.retryAt} />}
          {status.attempt !== null && ` (attempt ${status.attempt})`}
        </p>
        {status.error !== null && <p className="break-words">{status.error.detail}</p>}
        <p className="text-muted">You need not do anything. Stop ends it.</p>
      </div>
    </div>
  )
}
