/** Where a branch forks from its parent, for a line between its messages. Pure (BRA-1). */
import type { StatusRow } from "@parlor/protocol"
import { addressOf } from "../place/place.ts"

export type Fork = {
  /** The last inherited message; the line is shown below it. */
  readonly message: string
  /** The parent's title. */
  readonly from: string
  /** A link to that message in the parent. */
  readonly href: string
}

export type ForkPlace = {
  readonly agent: string
  readonly branch: string
  /** The parent's title. */
  readonly called: string
  /** It is shown in the side pane and stays there. */
  readonly isBeside: boolean
}

/** Undefined without a parent or without inherited messages. */
export function forkOf(origin: StatusRow["origin"] | undefined, where: ForkPlace): Fork | undefined {
  if (origin == null || origin.message === null) return undefined
  const { agent, branch, called, isBeside } = where
  const href = addressOf(agent, origin.branch, { message: origin.message, side: isBeside ? branch : undefined })
  return { message: origin.message, from: called, href }
}
