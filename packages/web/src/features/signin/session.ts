/**
 * The session of the person who signed in at the issuer, shared by all windows of this browser (SEC-40).
 *
 *   none ──signed in──▶ a session ──renewed──▶ a session ──▶ over: signed out, or expired
 *
 * It is in the browser's storage and nowhere else: with refresh tokens that are used once, two windows with copies of
 * their own would end each other's session. Reading it is how a window learns what another window did.
 */
import { attempt, type Keep } from "../keep/keep.ts"

export type Session = {
  /** The name of the person on this server. */
  readonly person: string
  /** What the issuer calls them, to show. */
  readonly name: string | undefined
  readonly token: string
  /** By the clock of this device, whatever the issuer's says: when to renew it, and when it no longer works. */
  readonly renewAt: number
  readonly expiresAt: number
  readonly refreshToken: string | undefined
  /** Tells the issuer who signs out. */
  readonly idToken: string | undefined
}

/** How a session ended. */
export type Over = { readonly over: "signed-out" | "expired"; readonly person: string }

export type Sessions = {
  readonly read: () => Session | undefined
  /** How the last session ended, if there is none. */
  readonly over: () => Over | undefined
  readonly write: (session: Session | Over | undefined) => void
  readonly subscribe: (listener: () => void) => () => void
}

const KEY = "parlor.session"

/** `others` calls back when another window changes the value of a key. */
export function sessionsIn(keep: Keep, others: (listener: (key: string | null) => void) => () => void): Sessions {
  const listeners = new Set<() => void>()
  /** The same object until it changes. It also works where the browser stores nothing. */
  let known: { readonly text: string | undefined; readonly value: Session | Over | undefined } | undefined
  const current = () => {
    const text = keep.read(KEY) ?? (known?.value === undefined ? undefined : known.text)
    if (known === undefined || known.text !== text) known = { text, value: parsed(text) }
    return known.value
  }
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    read: () => {
      const value = current()
      return value === undefined || "over" in value ? undefined : value
    },
    over: () => {
      const value = current()
      return value !== undefined && "over" in value ? value : undefined
    },
    write: (value) => {
      const text = value === undefined ? undefined : JSON.stringify(value)
      known = { text, value }
      keep.write(KEY, text)
      tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      const leave = others((key) => {
        if (key !== KEY && key !== null) return
        known = undefined
        listener()
      })
      return () => {
        listeners.delete(listener)
        leave()
      }
    },
  }
}

function parsed(text: string | undefined): Session | Over | undefined {
  const value = attempt(() => JSON.parse(text ?? "null") as Partial<Session & Over> | null)
  if (typeof value !== "object" || value === null || typeof value.person !== "string") return undefined
  if (value.over === "signed-out" || value.over === "expired") return { over: value.over, person: value.person }
  if (typeof value.token !== "string" || typeof value.renewAt !== "number" || typeof value.expiresAt !== "number")
    return undefined
  const { person, name, token, renewAt, expiresAt, refreshToken, idToken } = value
  return { person, name, token, renewAt, expiresAt, refreshToken, idToken }
}
