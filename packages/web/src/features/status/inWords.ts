/** Formats a short remaining time. */
import { t } from "../../texts/en/status.ts"
export function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  if (seconds <= 0) return "now"
  if (seconds < 100) return t("inSecondsS", { seconds })
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? t("inMinutesMin", { minutes }) : t("inValueH", { value: Math.round(minutes / 60) })
}
