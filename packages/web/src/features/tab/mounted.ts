/** How many timeline items are mounted (TAB-5). Written by the timeline, read by the counters. */

/** The budget: a timeline never mounts more. */
export const MAX_MOUNTED = 200

export type Mounted = {
  /** The total of the front and side timelines. */
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
