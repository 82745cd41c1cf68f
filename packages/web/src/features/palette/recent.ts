/** What was chosen from the palette lately, newest first, kept in this browser. */
import type { Keep } from "../keep/keep.ts"

const key = "palette"
export const MOST_KEPT = 12

export function recentIn(keep: Keep): readonly string[] {
  return (keep.read(key) ?? "").split("\n").filter(Boolean).slice(0, MOST_KEPT)
}

export function keepRecent(id: string, keep: Keep): void {
  if (id === "search" || id.includes("\n")) return
  const rest = recentIn(keep).filter((one) => one !== id)
  keep.write(key, [id, ...rest].slice(0, MOST_KEPT).join("\n"))
}
