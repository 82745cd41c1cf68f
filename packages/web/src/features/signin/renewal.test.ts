import { describe, expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { RenewalRefused, tokenOf } from "./renewal.ts"
import { type Session, type Sessions, sessionsIn } from "./session.ts"

const LIFE = 300_000
const MARGIN = 60_000

/** A browser with one storage; each window has its own view of it. */
function browser() {
  const items = new Map<string, string>()
  let at = 1_000_000
  let running: Promise<unknown> = Promise.resolve()
  const sessions = (): Sessions =>
    sessionsIn(
      keepIn(() => ({
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, value) => void items.set(key, value),
        removeItem: (key) => void items.delete(key),
      })),
      () => () => undefined,
    )
  const issuer = {
    /** The refresh token that is good now: each is used once. */
    good: "r0",
    refused: 0,
    renewals: 0,
    answers: (): Error | undefined => undefined,
  }
  const session = (n: number): Session => ({
    person: "jwt:ana",
    name: "Ana",
    token: `t${n}`,
    renewAt: at + LIFE - MARGIN,
    expiresAt: at + LIFE,
    refreshToken: `r${n}`,
    idToken: "id",
  })
  const renew = async (used: Session): Promise<Session> => {
    const problem = issuer.answers()
    if (problem !== undefined) throw problem
    await Promise.resolve()
    if (used.refreshToken !== issuer.good) {
      issuer.refused += 1
      throw new RenewalRefused("used twice")
    }
    issuer.renewals += 1
    issuer.good = `r${issuer.renewals}`
    return session(issuer.renewals)
  }
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const done = running.then(work)
    running = done.catch(() => undefined)
    return done
  }
  sessions().write(session(0))
  return {
    issuer,
    sessions: sessions(),
    window: () => tokenOf({ sessions: sessions(), person: "jwt:ana", renew, alone, now: () => at }),
    pass: (ms: number) => {
      at += ms
    },
  }
}

describe("[SEC-40] the token of a session", () => {
  it("is used until it is due, then renewed, and says when to ask again", async () => {
    const { window, pass, issuer } = browser()
    const token = window()
    const first = await token()
    expect(first.token).toBe("t0")
    pass(LIFE - MARGIN)
    expect(first.until).toBe(1_000_000 + LIFE - MARGIN)
    expect((await token()).token).toBe("t1")
    expect(issuer.renewals).toBe(1)
  })

  it("is renewed once, however many windows need it at the same moment, at every expiry", async () => {
    const { window, pass, issuer } = browser()
    const windows = Array.from({ length: 5 }, window)
    for (let round = 1; round <= 3; round++) {
      pass(LIFE)
      const tokens = await Promise.all(windows.map((token) => token()))
      expect(new Set(tokens.map(({ token }) => token))).toEqual(new Set([`t${round}`]))
    }
    expect([issuer.renewals, issuer.refused]).toEqual([3, 0])
  })

  it("is renewed at once when the server rejects it, although it seems fresh", async () => {
    const { window, pass } = browser()
    const token = window()
    expect((await token()).token).toBe("t0")
    pass(1_000)
    expect((await token("t0")).token).toBe("t1")
    expect((await token("t0")).token, "asked again later").toBe("t1")
    expect((await token("t1")).token).toBe("t2")
  })

  it("is not renewed because it is asked for again: a request may have been aborted before it was sent", async () => {
    const { window, issuer } = browser()
    const token = window()
    for (let times = 0; times < 3; times++) expect((await token()).token).toBe("t0")
    expect((await Promise.all([token(), token()])).map((one) => one.token)).toEqual(["t0", "t0"])
    expect(issuer.renewals).toBe(0)
  })

  it("works until its end when the issuer refuses to renew it; then the session is over, in every window", async () => {
    const { window, pass, issuer, sessions } = browser()
    const [token, other] = [window(), window()]
    issuer.good = "gone"
    pass(LIFE - MARGIN)
    expect(await token()).toEqual({ token: "t0", until: 1_000_000 + LIFE })
    pass(MARGIN)
    for (const one of [token, other]) await expect(one()).rejects.toMatchObject({ code: "auth.expired" })
    expect(sessions.over()).toEqual({ over: "expired", person: "jwt:ana" })
  })

  it("never ends because the issuer is down: it is tried again", async () => {
    const { window, pass, issuer, sessions } = browser()
    const token = window()
    issuer.answers = () => new TypeError("Failed to fetch")
    pass(LIFE - MARGIN)
    const held = await token()
    expect(held).toEqual({ token: "t0", until: 1_000_000 + LIFE - MARGIN + 10_000 })
    pass(MARGIN)
    await expect(token()).rejects.toThrow("Failed to fetch")
    expect(sessions.read()?.token).toBe("t0")
    issuer.answers = () => undefined
    expect((await token()).token).toBe("t1")
  })

  it("is nobody else's: when another person signed in, or nobody is, there is none", async () => {
    const { window, sessions } = browser()
    const token = window()
    const mine = sessions.read()
    if (mine === undefined) throw new Error("there is a session")
    sessions.write({ ...mine, person: "jwt:bob" })
    await expect(token()).rejects.toMatchObject({ code: "auth.expired" })
    expect(sessions.read()?.person).toBe("jwt:bob")
    sessions.write(undefined)
    await expect(token()).rejects.toMatchObject({ code: "auth.expired" })
  })

  it("does not come back when the person signs out during a renewal", async () => {
    const { window, pass, sessions } = browser()
    const token = window()
    pass(LIFE)
    const asked = token()
    sessions.write({ over: "signed-out", person: "jwt:ana" })
    await expect(asked).rejects.toMatchObject({ code: "auth.expired" })
    expect(sessions.over()?.over).toBe("signed-out")
    expect(sessions.read()).toBeUndefined()
  })
})
