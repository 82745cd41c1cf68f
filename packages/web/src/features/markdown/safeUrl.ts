/** Which addresses a message may link to. Everything else is shown as text (SEC-6). */
const protocols: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"])

/** The address to link to, or undefined when it is not one a message may use. Relative ones would point into Parlor. */
export function safeUrl(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return protocols.has(url.protocol) && url.username === "" && url.password === "" ? url.href : undefined
}

/** A link's host, shortened for display. */
export function placeOf(address: string): string {
  const url = new URL(address)
  return url.protocol === "mailto:" ? url.pathname : url.host
}
