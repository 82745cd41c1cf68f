/** Where a branch leaves the conversation it hangs on, for a line among its messages. Pure (BRA-1). */
import type { StatusRow } from "@parlor/protocol"
import { addressOf } from "../place/place.ts"

export type Fork = {
  /** The last message it has from there: the line stands below it. */
  readonly message: string
  /** What the other one is called. */
  readonly from: string
  /** That message, there. */
  readonly href: string
}

export type ForkPlace = {
  readonly agent: string
  readonly branch: string
  /** What it hangs on, as one reads it. */
  readonly called: string
  /** It stands beside the conversation in front, and stays there. */
  readonly isBeside: boolean
}

/** Undefined for one that hangs on nobody, or has nothing from there. */
export function forkOf(origin: StatusRow["origin"] | undefined, where: ForkPlace): Fork | undefined {
  if (origin == null || origin.message === null) return undefined
  const { agent, branch, called, isBeside } = where
  const href = addressOf(agent, origin.branch, { message: origin.message, side: isBeside ? branch : undefined })
  return { message: origin.message, from: called, href }
}
