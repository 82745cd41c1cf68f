import { pageAddress } from "../place/place.ts"

/** Where the inspector of a conversation is, or of one of its turns. */
export function inspectAddress(agent: string, branch: string, turn?: string): string {
  return pageAddress("inspect", agent, branch, turn)
}
