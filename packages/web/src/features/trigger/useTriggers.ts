import type { Parlor } from "@parlor/client"
import type { FiringView } from "@parlor/protocol"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { type Note, noteOf, refusesToken } from "../status/problemWords.ts"
import { hookItem, type Item, noticeItem, scheduleItem } from "./triggerView.ts"

export type TriggersState = {
  readonly items: readonly Item[] | undefined
  readonly note: Note | undefined
  readonly reload: () => Promise<void>
  /** Carries it out, then looks again. False, and `note` says why, when it was turned down. */
  readonly act: (work: () => Promise<unknown>) => Promise<boolean>
}

/** What happens by itself. Looked at again when the window comes back to the front. */
export function useTriggers(parlor: Parlor, onRefused: () => void): TriggersState {
  const [items, setItems] = useState<readonly Item[]>()
  const [note, setNote] = useState<Note>()
  /** Answers may overtake each other: only the one to the newest question counts. */
  const asked = useRef(0)
  const failed = useCallback(
    (error: unknown) => {
      if (refusesToken(error)) onRefused()
      else setNote(noteOf(error))
    },
    [onRefused],
  )
  const reload = useCallback(async () => {
    const question = ++asked.current
    try {
      const [schedules, hooks, notices] = await Promise.all([
        parlor.schedules.list(),
        parlor.hooks.list(),
        parlor.notices.list(),
      ])
      if (question !== asked.current) return
      setItems([...schedules.map(scheduleItem), ...hooks.map(hookItem), ...notices.map(noticeItem)])
      setNote(undefined)
    } catch (error) {
      if (question === asked.current) failed(error)
    }
  }, [parlor, failed])
  useEffect(() => {
    void reload()
    window.addEventListener("focus", reload)
    return () => window.removeEventListener("focus", reload)
  }, [reload])
  const act = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work()
      } catch (error) {
        failed(error)
        return false
      }
      await reload()
      return true
    },
    [reload, failed],
  )
  return useMemo(() => ({ items, note, reload, act }), [items, note, reload, act])
}

export type TriggerActs = {
  readonly pause: (item: Item) => void
  readonly fire: (item: Item) => void
  readonly remove: (item: Item) => void
  readonly firings: (item: Item) => Promise<readonly FiringView[]>
}

/** What one can do with any of them. */
export function triggerActs(parlor: Parlor, act: TriggersState["act"]): TriggerActs {
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
