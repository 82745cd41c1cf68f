import type { LiveConversation, LiveState } from "@parlor/client"

/** Resolves when the state matches, when it can no longer match, or at the timeout. */
export function reached(live: LiveConversation, isTrue: (state: LiveState) => boolean, ms?: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      leave()
      resolve()
    }
    const look = (): void => {
      const state = live.getState()
      if (isTrue(state) || state.phase === "failed") end()
    }
    const leave = live.subscribe(look)
    const timer = ms === undefined ? undefined : setTimeout(end, ms)
    look()
  })
}
