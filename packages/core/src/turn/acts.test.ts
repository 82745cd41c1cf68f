import { Fault } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { Fenced } from "../log/decide.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { beginActs } from "./acts.ts"
import { StopAsked } from "./stop-asked.ts"

function begin(idleMs = 1_000) {
  const clock = new FakeClock()
  const abort = new AbortController()
  return { clock, abort, acts: beginActs({ clock, abort, idleMs }) }
}

describe("the acts of a handler", () => {
  it("are carried out one after another, in the order they were called", async () => {
    const { acts } = begin()
    const done: number[] = []
    const ms = [5, 1, 3]
    await Promise.all(
      ms.map((wait, n) =>
        acts.act(async () => {
          for (let i = 0; i < wait; i++) await Promise.resolve()
          done.push(n)
        }),
      ),
    )
    expect(done).toEqual([0, 1, 2])
  })

  it("a failed one does not prevent the next", async () => {
    const { acts } = begin()
    await expect(acts.act(() => Promise.reject(new Error("no")))).rejects.toThrow("no")
    expect(await acts.act(async () => 1)).toBe(1)
    await acts.end()
  })

  it("the end waits for what was started, and reports an unhandled failure", async () => {
    const { acts } = begin()
    let isDone = false
    void acts.act(async () => {
      await Promise.resolve()
      isDone = true
    })
    void acts.act(() => Promise.reject(new Error("unheard")))
    await expect(acts.end()).rejects.toThrow("unheard")
    expect(isDone).toBe(true)
    await expect(acts.act(async () => 1)).rejects.toThrow("The turn is over")
  })

  it.each([new Fenced(), new Fault("down"), new StopAsked("hold")])(
    "%s aborts the turn, even if it is caught",
    async (error) => {
      const { acts, abort } = begin()
      await acts.act(() => Promise.reject(error)).catch(() => {})
      expect(abort.signal.reason).toBe(error)
      await expect(acts.act(async () => 1)).rejects.toBe(error)
    },
  )

  it("time passes only while nothing is in progress", async () => {
    const { acts, abort, clock } = begin(1_000)
    await clock.advance(900)
    let finish = () => {}
    const acting = acts.act(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
    await clock.advance(60_000)
    expect(abort.signal.aborted).toBe(false)
    finish()
    await acting
    await clock.advance(999)
    expect(abort.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(abort.signal.reason).toMatchObject({ code: "handler.timeout" })
    await acts.end()
    expect(clock.waiting).toBe(0)
  })

  it("the number of acts is limited", async () => {
    const { acts } = begin()
    for (let n = 0; n < 1_000; n++) await acts.act(async () => n)
    await expect(acts.act(async () => 1)).rejects.toThrow("more than 1000 calls")
    await acts.end()
  })
})
