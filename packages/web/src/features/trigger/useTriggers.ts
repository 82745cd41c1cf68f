import type { Parlor } from "@parlor/client"
import type { FiringView } from "@parlor/protocol"
import { useCallback } from "react"
import { type ListState, useList } from "../list/useList.ts"
import { hookItem, type Item, noticeItem, scheduleItem } from "./triggerView.ts"

/** The triggers. */
export function useTriggers(parlor: Parlor, onRefused: () => void): ListState<Item> {
  const read = useCallback(async () => {
    const [schedules, hooks, notices] = await Promise.all([
      parlor.schedules.list(),
      parlor.hooks.list(),
      parlor.notices.list(),
    ])
    return [...schedules.map(scheduleItem), ...hooks.map(hookItem), ...notices.map(noticeItem)]
  }, [parlor])
  return useList(read, { onRefused })
}

export type TriggerActs = {
  readonly pause: (item: Item) => void
  readonly fire: (item: Item) => void
  readonly remove: (item: Item) => void
  readonly firings: (item: Item) => Promise<readonly FiringView[]>
}

/** The actions of a trigger. */
export function triggerActs(parlor: Parlor, act: ListState<Item>["act"]): TriggerActs {
  const of = ({ kind }: Item) =>
    kind === "schedule" ? parlor.schedules : kind === "hook" ? parlor.hooks : parlor.notices
  const fire = ({ kind, id }: Item) =>
    kind === "schedule" ? parlor.schedules.fire(id) : kind === "hook" ? parlor.hooks.fire(id) : tested(parlor, id)
  return {
    pause: (item) => void act(() => (item.paused ? of(item).resume(item.id) : of(item).pause(item.id))),
    fire: (item) => void act(() => fire(item)),
    remove: (item) => void act(() => of(item).delete(item.id)),
    firings: async (item) => (await of(item).open(item.id)).firings,
  }
}

async function tested(parlor: Parlor, id: string): Promise<void> {
  const { error } = await parlor.notices.test(id)
  if (error !== null) throw Object.assign(new Error(error.detail), { code: error.code })
}
