/**
 * The token of a signed-in person for the SDK: renewed before it expires, by one window at a time (SEC-40).
 *
 *   fresh ──renewAt passed, or rejected──▶ [lock] ──another window renewed it──▶ fresh
 *                                             │
 *                                             ├─▶ renewed and stored ─▶ fresh
 *                                             ├─▶ refused: works until it expires, then the session is over
 *                                             └─▶ the issuer is unreachable: works until it expires, then tried again
 *
 * Never: two windows use the same refresh token, or a session ends because the issuer is down.
 */
import { ParlorError, type TimedToken } from "@parlor/client"
import type { Session, Sessions } from "./session.ts"

/** The issuer refuses to renew: the person has to sign in again. Anything else thrown is temporary. */
export class RenewalRefused extends Error {}

export type RenewalParts = {
  readonly sessions: Sessions
  /** Only their session: another person may sign in in another window. */
  readonly person: string
  readonly renew: (session: Session) => Promise<Session>
  /** Runs alone among all windows of this browser. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  readonly now: () => number
}

/** How long a token is used that could not be renewed, before it is tried again. */
const RETRY_MS = 10_000

/** The function is told which token the server rejected. Being asked again says nothing: a request may have been aborted. */
export function tokenOf(parts: RenewalParts): (rejected?: string) => Promise<TimedToken> {
  const { sessions, person, renew, alone, now } = parts

  const mine = (): Session => {
    const session = sessions.read()
    if (session?.person === person) return session
    throw over()
  }
  const isFresh = ({ token, renewAt }: Session, rejected: string | undefined) => now() < renewAt && token !== rejected
  const use = ({ token }: Session, until: number): TimedToken => ({ token, until })

  const renewed = async (rejected: string | undefined): Promise<TimedToken> => {
    const session = mine()
    if (isFresh(session, rejected)) return use(session, session.renewAt)
    const isUsable = now() < session.expiresAt && session.token !== rejected
    try {
      const next = await renew(session)
      // Signing out does not wait for a renewal.
      mine()
      sessions.write(next)
      return use(next, next.renewAt)
    } catch (error) {
      const isRefused = error instanceof RenewalRefused
      if (isUsable) return use(session, isRefused ? session.expiresAt : Math.min(session.expiresAt, now() + RETRY_MS))
      if (isRefused && sessions.read()?.token === session.token) sessions.write({ over: "expired", person })
      throw isRefused ? over() : error
    }
  }

  return async (rejected) => {
    const session = mine()
    return isFresh(session, rejected) ? use(session, session.renewAt) : alone(() => renewed(rejected))
  }
}

function over(): ParlorError {
  return new ParlorError("auth.expired", "Your session has ended. Sign in again.", { status: 401 })
}
