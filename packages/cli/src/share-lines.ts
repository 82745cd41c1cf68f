/** Shares as lines for a terminal. Pure. */
import type { ShareView } from "@parlor/protocol"
import { expiryWords } from "./key-lines.ts"

export function shareLine(share: ShareView, now: number): string {
  const { id, agent, branch, mode, viewer, shows, expiresAt, revokedAt } = share
  const whom = viewer === null ? "link" : `with ${viewer}`
  const ends = revokedAt === null ? expiryWords(expiresAt, now) : "revoked"
  const more = Object.entries({ "your name": shows.name, details: shows.details, files: shows.files })
  const shown = more.flatMap(([word, isShown]) => (isShown ? [word] : [])).join(", ")
  return [id, `${agent}/${branch}`, whom, mode, ends, ...(shown === "" ? [] : [`shows ${shown}`])].join("  ")
}
