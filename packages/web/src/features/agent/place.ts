/** Which agent the address names: `#/critic`. The conversation is that agent's `main`. */
export const firstAgent = "host"

export function agentIn(hash: string): string {
  const named = /^#\/([^/]+)$/.exec(hash)?.[1]
  return named === undefined ? firstAgent : (decoded(named) ?? firstAgent)
}

export function addressOf(agent: string): string {
  return `#/${encodeURIComponent(agent)}`
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
