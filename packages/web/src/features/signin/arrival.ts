/**
 * The issuer's response to an authorization request, in the address with which it sends the person back. It is taken out
 * of the address at once, before anything is drawn, so that it is not bookmarked or sent again.
 *
 * The response is asked for in the fragment, which no server sees; some issuers use the query anyway.
 */
export type Arrival = {
  /** All parameters: `code` and `state`, or `error`. */
  readonly parameters: URLSearchParams
}

export type ArrivalPage = {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: { readonly replaceState: (state: null, unused: string, address: string) => void }
}

export function takeArrival({ location, history }: ArrivalPage): Arrival | undefined {
  const parameters = [location.hash, location.search]
    .map((text) => new URLSearchParams(text.slice(1)))
    .find((one) => one.has("state") && (one.has("code") || one.has("error")))
  if (parameters === undefined) return undefined
  history.replaceState(null, "", location.pathname)
  return { parameters }
}
