import type { ShareView } from "@parlor/protocol"
import { Link2, UserRound } from "lucide-react"
import { t } from "../../texts/en/share.ts"
import { Button } from "../../ui/Button.tsx"
import { activeShares, shareWords, termWords } from "./shareView.ts"

export type SharedNowProps = { readonly shares: readonly ShareView[]; readonly onStop: (id: string) => void }

/** With whom the conversation is shared now. */
export function SharedNow({ shares, onStop }: SharedNowProps) {
  const active = activeShares(shares, Date.now())
  if (active.length === 0) return null
  return (
    <section>
      <h3 className="mb-1.5 font-medium">{t("shared")}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {active.map((share) => {
          const Sign = share.viewer === null ? Link2 : UserRound
          return (
            <li key={share.id} className="flex items-center gap-2.5 px-3 py-2">
              <Sign aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{share.viewer ?? t("link")}</span>
                <span className="block text-muted text-xs">{termWords(share)}</span>
              </span>
              <Button aria-label={t("stopShare", { what: shareWords(share) })} onClick={() => onStop(share.id)}>
                {t("stop")}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
