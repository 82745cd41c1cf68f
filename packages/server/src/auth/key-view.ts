import type { KeyRecord } from "@parlor/core"
import type { KeyView } from "@parlor/protocol"

/** A key without its hash. */
export function keyView(record: KeyRecord): KeyView {
  const { id, name, scopes, actFor, asMaker, madeBy, createdAt, expiresAt, revokedAt } = record
  return { id, name, scopes: [...scopes], actFor, asMaker, madeBy, createdAt, expiresAt, revokedAt }
}
