/** Where the page of memories is: `#memory/critic`, with the agent one came from. */
export function memoryAddress(agent: string): string {
  return `#memory/${encodeURIComponent(agent)}`
}

/** The agent one came from; undefined when the address is another. */
export function memoryPlace(hash: string): string | undefined {
  const from = /^#memory\/([^/]+)$/.exec(hash)?.[1]
  if (from === undefined) return undefined
  try {
    return decodeURIComponent(from)
  } catch {
    return undefined
  }
}
