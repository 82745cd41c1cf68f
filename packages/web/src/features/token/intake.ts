/**
 * The token of this browser: handed over in the fragment of the address, which no request carries, then kept here
 * (SEC-2, SEC-3). The address is cleared at once, so that it is not shared, bookmarked or seen over a shoulder.
 */
import type { Keep } from "../keep/keep.ts"

const key = "parlor.token"

export type Page = {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: { readonly replaceState: (state: null, unused: string, address: string) => void }
}

export function takeToken(page: Page, keep: Keep): string | undefined {
  const handed = tokenIn(page.location.hash)
  if (handed === undefined) return keep.read(key)
  keepToken(handed, keep)
  page.history.replaceState(null, "", page.location.pathname + page.location.search)
  return handed
}

export function keepToken(token: string | undefined, keep: Keep): void {
  keep.write(key, token)
}

/** The token in what somebody pasted: the whole printed address, its fragment, or the token alone. */
export function tokenIn(text: string): string | undefined {
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
