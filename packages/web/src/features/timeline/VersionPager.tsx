import { ChevronLeft, ChevronRight } from "lucide-react"
import { t } from "../../texts/en/timeline.ts"
import { IconButton } from "../../ui/IconButton.tsx"

export type VersionPagerProps = {
  /** From 1. */
  readonly number: number
  readonly count: number
  readonly onTurn: (by: 1 | -1) => void
}

/** Leafs through the versions of a message (MSG-3). */
export function VersionPager({ number, count, onTurn }: VersionPagerProps) {
  return (
    <fieldset aria-label={t("versions")} className="flex items-center text-muted text-xs tabular-nums">
      <IconButton label={t("previousVersion")} disabled={number === 1} onClick={() => onTurn(-1)}>
        <ChevronLeft aria-hidden className="size-3.5" />
      </IconButton>
      <span role="status" aria-label={t("versionNumberOfCount", { number, count })}>
        {number}/{count}
      </span>
      <IconButton label={t("nextVersion")} disabled={number === count} onClick={() => onTurn(1)}>
        <ChevronRight aria-hidden className="size-3.5" />
      </IconButton>
    </fieldset>
  )
}
