/**
 * The link of a share: its id and its secret are in the fragment of the page's URL, which browsers send to no server
 * (SHR-2). The page passes the secret as a bearer token.
 */
const PAGE = "/shared"

export const SHARE_SECRET = "parlor_share_"

export type ShareLink = {
  readonly id: string
  /** As a bearer token. */
  readonly secret: string
}

/** Relative to the server. */
export function shareLinkPath({ id, secret }: ShareLink): string {
  return `${PAGE}#${id}.${secret.slice(SHARE_SECRET.length)}`
}

/** Undefined if the fragment of a URL is not that of a share. */
export function parseShareLink(fragment: string): ShareLink | undefined {
  const [, id, rest] = /^#?(shr_[\w-]{1,64})\.([\w-]{16,128})$/.exec(fragment) ?? []
  return id === undefined || rest === undefined ? undefined : { id, secret: `${SHARE_SECRET}${rest}` }
}
