import { expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { type Session, sessionsIn } from "./session.ts"

const session: Session = {
  person: "jwt:ana",
  name: undefined,
  token: "t",
  renewAt: 1,
  expiresAt: 2,
  refreshToken: undefined,
  idToken: undefined,
}

function storage() {
  const items = new Map<string, string>()
  const listeners = new Set<(key: string | null) => void>()
  const keep = keepIn(() => ({
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }))
  const others = (listener: (key: string | null) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const heard = (key: string | null) => {
    for (const listener of listeners) listener(key)
  }
  return { items, keep, others, heard }
}

it("[SEC-40] what one window stores, the others read; each is told of every change", () => {
  const { keep, others, heard } = storage()
  const [one, other] = [sessionsIn(keep, others), sessionsIn(keep, others)]
  let told = 0
  const leave = other.subscribe(() => {
    told += 1
  })
  one.write(session)
  heard("parlor.session")
  heard("parlor.theme")
  expect([told, other.read()]).toEqual([1, session])
  expect(other.read()).toBe(other.read())
  one.write({ over: "expired", person: "jwt:ana" })
  heard(null)
  expect([told, other.read(), other.over()?.over]).toEqual([2, undefined, "expired"])
  leave()
  heard("parlor.session")
  expect(told).toBe(2)
})

it.each([
  "",
  "null",
  "7",
  "{}",
  '{"person":"jwt:ana"}',
  '{"person":"jwt:ana","token":1,"renewAt":1,"expiresAt":2}',
  "{",
])("[SEC-40] whatever else is stored there is no session: %s", (text) => {
  const { items, keep, others } = storage()
  items.set("parlor.session", text)
  const sessions = sessionsIn(keep, others)
  expect([sessions.read(), sessions.over()]).toEqual([undefined, undefined])
})

it("[SEC-40] where the browser stores nothing, a session lasts as long as its page", () => {
  const refusing = keepIn(() => {
    throw new Error("denied")
  })
  const sessions = sessionsIn(refusing, () => () => undefined)
  expect(sessions.read()).toBeUndefined()
  sessions.write(session)
  expect(sessions.read()).toEqual(session)
  sessions.write(undefined)
  expect(sessions.read()).toBeUndefined()
})
