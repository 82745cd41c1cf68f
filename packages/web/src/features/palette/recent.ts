/** The recently used palette entries, newest first, stored in this browser. */
import type { Keep } from "../keep/keep.ts"

const key = "palette"
export const MAX_KEPT = 12

export function recentIn(keep: Keep): readonly string[] {
  return (keep.read(key) ?? "").split("\n").filter(Boolean).slice(0, MAX_KEPT)
}

export function keepRecent(id: string, keep: Keep): void {
  if (id === "search" || id.includes("\n")) return
  const rest = recentIn(keep).filter((one) => one !== id)
  keep.write(key, [id, ...rest].slice(0, MAX_KEPT).join("\n"))
}
