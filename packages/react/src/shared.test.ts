import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type Live, Shared } from "./shared.ts"

type State = { readonly phase: string; readonly isBusy?: boolean }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Counts the views that were opened, and lets the test change the state of the last one. */
function stage() {
  const opened: { state: State; isClosed: boolean; reconnects: number }[] = []
  let announce = () => {}
  const open = (): Live<State> => {
    const view = { state: { phase: "ready" }, isClosed: false, reconnects: 0 }
    opened.push(view)
    return {
      getState: () => view.state,
      subscribe: (listener) => {
        announce = listener
        return () => {}
      },
      reconnect: () => {
        view.reconnects += 1
      },
      close: () => {
        view.isClosed = true
      },
    }
  }
  const shared = new Shared<State, Live<State>>({
    open,
    loading: { phase: "loading" },
    isBusy: ({ isBusy = false }) => isBusy,
  })
  const set = (state: State) => {
    Object.assign(opened.at(-1) ?? {}, { state })
    announce()
  }
  return { shared, set, opened, open: () => opened.filter(({ isClosed }) => !isClosed).length }
}

test("[API-51] components share one view, which closes after the last one has left, and opens again", () => {
  const { shared, opened, open } = stage()
  expect([shared.getState().phase, opened.length]).toEqual(["loading", 0])
  for (const round of [1, 2]) {
    const leaving = [shared.subscribe(() => {}), shared.subscribe(() => {})]
    expect([opened.length, shared.getState().phase]).toEqual([round, "ready"])
    leaving[0]?.()
    vi.advanceTimersByTime(60_000)
    expect(open()).toBe(1)
    leaving[1]?.()
    expect(open()).toBe(1)
    vi.advanceTimersByTime(60_000)
    expect([open(), shared.getState().phase]).toEqual([0, "loading"])
  }
})

test("[API-51] a component that is mounted twice, as in strict mode, keeps its view", () => {
  const { shared, opened, open } = stage()
  for (let n = 0; n < 3; n++) shared.subscribe(() => {})()
  const leave = shared.subscribe(() => {})
  vi.advanceTimersByTime(60_000)
  expect([opened.length, open()]).toEqual([1, 1])
  leave()
})

test("[API-51] a view does not close while a message is being delivered", () => {
  const { shared, set, open } = stage()
  const leave = shared.subscribe(() => {})
  set({ phase: "ready", isBusy: true })
  leave()
  vi.advanceTimersByTime(60_000)
  expect(open()).toBe(1)
  set({ phase: "ready" })
  vi.advanceTimersByTime(60_000)
  expect(open()).toBe(0)
})

test("[API-51] a command without a component opens the view and lets it close", () => {
  const { shared, open } = stage()
  expect(shared.live()).toBe(shared.live())
  expect(open()).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(open()).toBe(0)
})

test("[API-51] a view that failed opens again with the next component, or with reconnect", () => {
  const { shared, set, opened, open } = stage()
  const leave = shared.subscribe(() => {})
  set({ phase: "failed" })
  leave()
  let told = 0
  shared.subscribe(() => {
    told += 1
  })
  expect([opened.length, open(), shared.getState().phase]).toEqual([2, 1, "ready"])
  set({ phase: "failed" })
  shared.reconnect()
  expect([opened.length, open(), told]).toEqual([3, 1, 2])
  shared.reconnect()
  expect([opened.length, opened.at(-1)?.reconnects]).toEqual([3, 1])
})
