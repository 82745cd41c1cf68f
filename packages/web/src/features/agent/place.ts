/** Which conversation the address names: `#/critic` is that agent's `main`, `#/critic/redder` a branch. */
import { MAIN_BRANCH } from "@parlor/protocol"

export const firstAgent = "host"

const PLACE = /^#\/([^/]+)(?:\/([^/]+))?$/

export function agentIn(hash: string): string {
  return decoded(PLACE.exec(hash)?.[1]) ?? firstAgent
}

export function branchIn(hash: string): string {
  return decoded(PLACE.exec(hash)?.[2]) ?? MAIN_BRANCH
}

export function addressOf(agent: string, branch: string = MAIN_BRANCH): string {
  const place = `#/${encodeURIComponent(agent)}`
  return branch === MAIN_BRANCH ? place : `${place}/${encodeURIComponent(branch)}`
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
