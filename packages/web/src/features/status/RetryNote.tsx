import type { StatusRow } from "@parlor/protocol"
import { RotateCw } from "lucide-react"
import { t } from "../../texts/en/status.ts"
import { Countdown } from "./Countdown.tsx"

export type RetryNoteProps = { readonly status: Pick<StatusRow, "attempt" | "retryAt" | "error"> }

/** Shown in place of the reply while a model call is retried: the error, and when the next attempt starts (TRN-10). */
export function RetryNote({ status }: RetryNoteProps) {
  return (
    <div className="mt-4 flex animate-arrive gap-3 rounded-xl bg-warn-tint px-4 py-3 text-sm">
      <RotateCw aria-hidden className="mt-0.5 size-4 shrink-0 animate-spin-slow text-warn" />
      <div className="min-w-0">
        <p className="font-medium text-warn">
          {t("theModelDidntAnswerRetrying")}
          {status.retryAt !== null && <Countdown until={status.retryAt} />}
          {status.attempt !== null && ` (attempt ${status.attempt})`}
        </p>
        {status.error !== null && <p className="break-words">{status.error.detail}</p>}
        <p className="text-muted">{t("noActionNeededPressStop")}</p>
      </div>
    </div>
  )
}
