import type { StatusRow } from "@parlor/protocol"
import { useMemo } from "react"
import { usePlace } from "../place/usePlace.ts"
import { useFeedRow } from "../tab/DeskContext.ts"
import { titleOf } from "../tab/tabList.ts"
import { type Fork, forkOf } from "./fork.ts"

/** Returns the same object until something about it changes, so that memoized messages don't render again. */
export function useFork(agent: string, branch: string, origin: StatusRow["origin"] | undefined): Fork | undefined {
  const parent = origin?.branch ?? ""
  const row = useFeedRow(agent, parent)
  const called = titleOf({ row })
  const isBeside = usePlace().side === branch
  const message = origin?.message
  // biome-ignore lint/correctness/useExhaustiveDependencies: the origin is another object with every change of the status
  return useMemo(
    () => forkOf(origin, { agent, branch, called, isBeside }),
    [agent, branch, called, isBeside, parent, message],
  )
}
