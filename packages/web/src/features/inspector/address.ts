import { pageAddress } from "../place/place.ts"

/** The inspector's address for a conversation or one of its turns. */
export function inspectAddress(agent: string, branch: string, turn?: string): string {
  return pageAddress("inspect", agent, branch, turn)
}
