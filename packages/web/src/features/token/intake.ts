/**
 * The browser's token: passed in the address's fragment, which is never sent to a server, then stored here (SEC-2,
 * SEC-3). The address is cleared at once, so that it is not shared, bookmarked or seen over a shoulder.
 *
 * Any site can link to this page with a token of its choice. Where a token is already stored, another one is only
 * offered, and the person decides (SEC-37).
 */
import type { Keep } from "../keep/keep.ts"

const key = "parlor.token"

export type Page = {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: { readonly replaceState: (state: null, unused: string, address: string) => void }
}

export type Access = {
  readonly token: string | undefined
  /** A token for another account from the address, until the person decides whether to use it. */
  readonly offered: string | undefined
}

/** Reads the token when the page starts. `isSignedIn`: this browser has an account without a token. */
export function takeToken(page: Page, keep: Keep, isSignedIn = false): Access {
  const given = clearToken(page, "")
  const stored = keep.read(key)
  if (given === undefined || given === stored) return { token: stored, offered: undefined }
  if (stored !== undefined || isSignedIn) return { token: stored, offered: given }
  keepToken(given, keep)
  return { token: given, offered: undefined }
}

/** Takes the token out of the address, which then has the fragment `hash`. Returns the token, if there was one. */
export function clearToken({ location, history }: Page, hash: string): string | undefined {
  const before = location.hash
  if (!CARRIES_TOKEN.test(before)) return undefined
  history.replaceState(null, "", location.pathname + location.search + hash)
  return tokenIn(before)
}

const CARRIES_TOKEN = /[#&?]token=/

export function keepToken(token: string | undefined, keep: Keep): void {
  keep.write(key, token)
}

/** Extracts the token from pasted text: the whole printed address, its fragment, or only the token. */
function tokenIn(text: string): string | undefined {
  const named = /[#&?]token=([^&\s]+)/.exec(text)?.[1]
  return named === undefined ? undefined : decoded(named)
}

export function tokenFromPaste(text: string): string | undefined {
  const pasted = text.trim()
  if (pasted === "") return undefined
  return tokenIn(pasted) ?? (/^[\w.~+/=-]+$/.test(pasted) ? pasted : undefined)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
