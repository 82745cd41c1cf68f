/** What the dialog offers and what it asks of the server. Pure. */
import type { ShareOptions } from "@parlor/client"
import type { ShareView } from "@parlor/protocol"
import { t } from "../../texts/en/share.ts"
import { dayText, momentText } from "../../texts/format.ts"

const LOCAL_PERSON = "me"
const DAY_MS = 86_400_000

export type Choice = {
  readonly mode: ShareView["mode"]
  /** Undefined: never. */
  readonly days: number | undefined
  readonly shows: ShareView["shows"]
}

export const firstChoice: Choice = { mode: "snapshot", days: 30, shows: { name: false, details: false, files: false } }

export function expiryOptions(): readonly { readonly value: string; readonly label: string }[] {
  return [
    { value: "1", label: t("oneDay") },
    { value: "7", label: t("sevenDays") },
    { value: "30", label: t("thirtyDays") },
    { value: "90", label: t("ninetyDays") },
    { value: "", label: t("forever") },
  ]
}

/** A person always learns who shares with them, and until it is stopped. */
export function sharesOf({ mode, days, shows }: Choice, viewer: string | null, now: number): ShareOptions {
  if (viewer !== null) return { mode, viewer, shows: { ...shows, name: true }, expiresAt: null }
  return { mode, viewer, shows, expiresAt: days === undefined ? null : now + days * DAY_MS }
}

export function activeShares(shares: readonly ShareView[], now: number): readonly ShareView[] {
  return shares.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now))
}

/** The local person is called "me", which says nothing to others. */
export function sharerWords(sharedBy: string | null): string {
  if (sharedBy === null) return t("sharedConversation")
  return sharedBy === LOCAL_PERSON ? t("sharedByOwner") : t("sharedBy", { name: sharedBy })
}

/** “Link, live” */
export function shareWords({ viewer, mode: kind, createdAt }: ShareView): string {
  const mode = kind === "live" ? t("modeLive") : t("modeSnapshot", { date: momentText(createdAt) })
  return viewer === null ? t("linkOf", { mode }) : t("personOf", { name: viewer, mode })
}

/** “live, until 12/18/2026” */
export function termWords({ mode, createdAt, expiresAt }: ShareView): string {
  const what = mode === "live" ? t("modeLive") : t("modeSnapshot", { date: momentText(createdAt) })
  return expiresAt === null ? what : `${what}, ${t("until", { date: dayText(expiresAt) })}`
}
