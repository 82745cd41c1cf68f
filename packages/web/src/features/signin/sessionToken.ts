import { sessions } from "./browserSessions.ts"
import { RenewalRefused, tokenOf } from "./renewal.ts"

const LOCK = "parlor.session"
/** Another window may be in another process, which sees what was stored here a moment later. */
const SETTLE_MS = 100

/** The token of the signed-in person, for the SDK. What talks to the issuer is loaded when it is needed. */
export function sessionToken(person: string) {
  return tokenOf({
    sessions,
    person,
    now: Date.now,
    alone,
    renew: async (session) => {
      const { readSignIn } = await import("./readSignIn.ts")
      const signIn = await readSignIn()
      if (signIn === null) throw new RenewalRefused("This server no longer signs people in.")
      const { refresh } = await import("./oauth.ts")
      return refresh(signIn, session, Date.now)
    },
  })
}

/** The lock is kept a moment longer than the work if that stored something. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const run = async () => {
      const before = sessions.read()
      const done = work()
      done.then(resolve, reject)
      await done.catch(() => undefined)
      if (sessions.read() !== before) await new Promise((settled) => setTimeout(settled, SETTLE_MS))
    }
    navigator.locks.request(LOCK, run).catch(reject)
  })
}
