import { ParlorError } from "@parlor/client"
import { Link2Off } from "lucide-react"
import { t } from "../../texts/en/share.ts"
import { Button } from "../../ui/Button.tsx"

export type EndedProps = {
  readonly error: unknown
  readonly onRetry: () => void
  /** Below what was read before. */
  readonly isInPlace?: boolean
}

/** Why there is nothing more to read, in plain words (SHR-6). */
export function Ended({ error, onRetry, isInPlace = false }: EndedProps) {
  const code = error instanceof ParlorError ? error.code : ""
  const isOver = code.startsWith("share.") || code === "conversation.unknown"
  return (
    <div
      role="alert"
      className={
        isInPlace
          ? "mt-8 rounded-xl border border-line bg-sunken p-4 text-sm"
          : "m-auto max-w-md px-6 py-16 text-center"
      }
    >
      {!isInPlace && <Link2Off aria-hidden className="mx-auto mb-4 size-8 text-muted" />}
      <p className="font-semibold">{isOver ? t("endedTitle") : t("endedOther")}</p>
      {isOver && <p className="mt-1.5 text-muted">{whyWords(code)}</p>}
      {isOver && isInPlace && <p className="mt-1 text-muted">{t("endedWhileReading")}</p>}
      {code === "rate.exceeded" && <p className="mt-1.5 text-muted">{t("endedBusy")}</p>}
      {!isOver && (
        <Button onClick={onRetry} className="mt-4">
          {t("tryAgain")}
        </Button>
      )}
    </div>
  )
}

function whyWords(code: string): string {
  if (code === "share.revoked") return t("endedRevoked")
  return code === "share.expired" ? t("endedExpired") : t("endedUnknown")
}
