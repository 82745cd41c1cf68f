/** Where the page of triggers is: `#triggers/critic`, with the agent one came from. */
export function triggerAddress(agent: string): string {
  return `#triggers/${encodeURIComponent(agent)}`
}

/** The agent one came from; undefined when the address is another. */
export function triggerPlace(hash: string): string | undefined {
  const from = /^#triggers\/([^/]+)$/.exec(hash)?.[1]
  if (from === undefined) return undefined
  try {
    return decodeURIComponent(from)
  } catch {
    return undefined
  }
}
