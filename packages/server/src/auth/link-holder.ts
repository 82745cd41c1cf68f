/**
 * Whoever holds the secret of a share link (SHR-2): nobody by name, and allowed to read one share only.
 *
 * A wrong secret gets the same response as a share that does not exist, and counts as a wrong credential (SEC-9).
 */
import { timingSafeEqual } from "node:crypto"
import { type Clock, checkShare, type Rate, type Rates, type Store, tooMany, unknownShare } from "@parlor/core"
import { limits, SHARE_SECRET } from "@parlor/protocol"
import { type Caller, digest, NOBODY } from "./caller.ts"
import { createGuesses } from "./guesses.ts"

/** Undefined if the credential is not that of a link. */
export type LinkHolders = (given: {
  readonly authorization: string | undefined
  readonly address: string
  readonly share: string
}) => Promise<Caller | undefined>

const BEARER = new RegExp(`^Bearer (${SHARE_SECRET}[\\w-]{1,${limits.credentialLength}})$`, "i")
const RATE: Rate = { perMinute: limits.linkReadsPerMinute, atOnce: limits.linkReadsAtOnce }

export function createLinkHolders(parts: {
  readonly store: Store
  readonly clock: Clock
  /** Of what each link reads. */
  readonly reads: Rates
}): LinkHolders {
  const { store, clock, reads } = parts
  const guesses = createGuesses({ store, clock })
  return async ({ authorization, address, share: id }) => {
    const secret = BEARER.exec(authorization ?? "")?.[1]
    if (secret === undefined) return undefined
    const [share] = await store.shares.findAll([id])
    if (share?.hash == null || !timingSafeEqual(Buffer.from(share.hash, "hex"), digest(secret)))
      throw guesses.wrong(address, unknownShare())
    checkShare(share, clock.now())
    const waitMs = reads.take(id, RATE, clock.now())
    if (waitMs > 0) throw tooMany("This link is opened too often right now. Try again in a moment.", waitMs)
    return { ...NOBODY, person: `link ${id}`, link: id, expiresAt: share.expiresAt }
  }
}
