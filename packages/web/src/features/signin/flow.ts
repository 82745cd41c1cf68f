/** Signing in and out: the steps before and after the person is at the issuer. */
import { Parlor, ParlorError } from "@parlor/client"
import type { SignInView } from "@parlor/protocol"
import { keepIn } from "../keep/keep.ts"
import type { Arrival } from "./arrival.ts"
import { keepAttempt, takeAttempt } from "./attempt.ts"
import { sessions } from "./browserSessions.ts"
import { authorizationOf, endAddress, redeem, revoke } from "./oauth.ts"
import { SignInProblem } from "./problem.ts"
import { readSignIn } from "./readSignIn.ts"
import type { Session } from "./session.ts"

const windowKeep = keepIn(() => window.sessionStorage)

/** Sends the person to the issuer. Where they are now is where they come back to. */
export async function beginSignIn(signIn: SignInView): Promise<void> {
  // Without https, other programs on the network could read the code, and browsers lack the functions for PKCE.
  if (!window.isSecureContext) throw new SignInProblem("insecure")
  const { address, attempt } = await authorizationOf(signIn, { address: pageAddress(), hash: window.location.hash })
  if (!keepAttempt(attempt, windowKeep)) throw new SignInProblem("storage")
  window.location.assign(address)
}

/** Completes it when the person is back. Afterwards there is a session, and the address is what it was. */
export async function completeSignIn({ parameters }: Arrival): Promise<void> {
  const attempt = takeAttempt(windowKeep)
  if (attempt === undefined || attempt.state !== parameters.get("state")) throw new SignInProblem("expired")
  window.history.replaceState(null, "", window.location.pathname + attempt.hash)
  const signIn = await readSignIn()
  if (signIn === null) throw new SignInProblem("failed")
  const grant = await redeem(signIn, parameters, attempt, { address: pageAddress(), now: Date.now })
  sessions.write({ ...grant, person: await personWith(grant.token) })
}

/** Signs out here and, if possible, at the issuer. Never fails: the session is gone from this browser either way. */
export async function signOut(session: Session): Promise<void> {
  sessions.write({ over: "signed-out", person: session.person })
  const signIn = await readSignIn().catch(() => null)
  if (signIn === null) return
  await revoke(signIn, session).catch(() => undefined)
  const address = endAddress(signIn, session, pageAddress())
  if (address !== undefined) window.location.assign(address)
}

/** Asks the server who this is: a token for another audience would only fail later. */
async function personWith(token: string): Promise<string> {
  try {
    const { person } = await new Parlor({ baseUrl: window.location.origin, token }).account()
    return person
  } catch (error) {
    if (!(error instanceof ParlorError)) throw error
    throw new SignInProblem(error.passing ? "unreachable" : "rejected", error.detail)
  }
}

/** The address that the issuer has to know. */
function pageAddress(): string {
  return `${window.location.origin}/`
}
