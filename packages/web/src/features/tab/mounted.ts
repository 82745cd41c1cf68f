/** How many items of a timeline are in the page now (TAB-5). Written by the timeline in front, read by the counters. */

/** The budget: a timeline never mounts more, however small its messages are. */
export const MOST_MOUNTED = 200

export type Mounted = {
  /** Of all timelines together: one in front, and perhaps one beside it. */
  readonly get: () => number
  readonly set: (timeline: string, count: number) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function mountedCount(): Mounted {
  const listeners = new Set<() => void>()
  const counts = new Map<string, number>()
  return {
    get: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    set: (timeline, count) => {
      if ((counts.get(timeline) ?? 0) === count) return
      if (count === 0) counts.delete(timeline)
      else counts.set(timeline, count)
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const mounted = mountedCount()
