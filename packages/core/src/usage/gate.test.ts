import { describe, expect, it } from "vitest"
import { FakeClock } from "../testing/fake-clock.ts"
import { Gate } from "./gate.ts"
import { callRates } from "./settings.ts"

const rates = { all: { perMinute: 60, atOnce: 4 }, unattended: { perMinute: 30, atOnce: 2 } }

function open() {
  const clock = new FakeClock()
  const gate = new Gate(clock, rates)
  const begun: string[] = []
  const enter = (kind: "attended" | "unattended", name: string) => {
    const waiting = gate.enter("ana", kind)
    if (waiting === undefined) begun.push(name)
    else void waiting.begun.then(() => begun.push(name))
    return waiting
  }
  const pass = async (ms: number) => {
    await clock.advance(ms)
    await Promise.resolve()
  }
  return { clock, gate, begun, enter, pass }
}

describe("the gate of model calls", () => {
  it("[SEC-21] lets a burst start at once, and the rest one after another, in order", async () => {
    const { begun, enter, pass, gate } = open()
    for (const name of ["a", "b", "c", "d", "e", "f"]) enter("attended", name)
    expect(begun).toEqual(["a", "b", "c", "d"])
    expect(gate.waiting("ana")).toBe(2)
    await pass(1_000)
    expect(begun.at(-1)).toBe("e")
    await pass(1_000)
    expect(begun).toEqual(["a", "b", "c", "d", "e", "f"])
    expect(gate.waiting("ana")).toBe(0)
  })

  it("[SEC-21] unattended calls get half the rate, and wait behind attended ones", async () => {
    const { begun, enter, pass } = open()
    for (const name of ["s1", "s2", "s3", "s4"]) enter("unattended", name)
    expect(begun).toEqual(["s1", "s2"])
    enter("attended", "typed")
    expect(begun.at(-1)).toBe("typed")
    for (const name of ["t2", "t3", "t4"]) enter("attended", name)
    await pass(60_000)
    expect(begun.indexOf("t4")).toBeLessThan(begun.indexOf("s4"))
    expect(begun).toHaveLength(8)
  })

  it("[SEC-21] unattended calls leave half of every minute to the person, however many wait", async () => {
    const { begun, enter, pass } = open()
    for (let n = 0; n < 500; n++) enter("unattended", `s${n}`)
    await pass(60_000)
    expect(begun.length).toBeLessThanOrEqual(2 + 30)
    expect(enter("attended", "typed")).toBeUndefined()
  })

  it("[SEC-21] a canceled call frees its place", async () => {
    const { begun, enter, pass, gate } = open()
    for (const name of ["a", "b", "c", "d"]) enter("attended", name)
    const first = enter("attended", "gone")
    enter("attended", "next")
    first?.leave()
    await pass(1_000)
    expect(begun.at(-1)).toBe("next")
    expect(gate.waiting("ana")).toBe(0)
  })

  it("[SEC-21] estimates when a call will start", () => {
    const { clock, enter } = open()
    for (const name of ["a", "b", "c", "d"]) enter("attended", name)
    expect((enter("attended", "e")?.until ?? 0) - clock.now()).toBe(1_000)
    expect((enter("attended", "f")?.until ?? 0) - clock.now()).toBe(2_000)
  })

  it("[SEC-21] an unattended call waits behind those of its kind, and counts what is ahead of it", async () => {
    const { begun, clock, enter, pass, gate } = open()
    for (const name of ["s1", "s2"]) enter("unattended", name)
    const third = enter("unattended", "s3")
    expect((third?.until ?? 0) - clock.now()).toBe(2_000)
    expect((enter("unattended", "s4")?.until ?? 0) - clock.now()).toBe(4_000)
    await pass(1_999)
    expect(begun).toEqual(["s1", "s2"])
    await pass(1)
    expect(begun).toEqual(["s1", "s2", "s3"])
    expect(enter("unattended", "s5"), "behind s4").toBeDefined()
    expect(gate.waiting("ana")).toBe(2)
    for (const name of ["t1", "t2", "t3"]) enter("attended", name)
    enter("attended", "t4")
    expect(gate.waiting("ana")).toBe(3)
    expect((enter("unattended", "s6")?.until ?? 0) - clock.now()).toBe(8_000)
  })

  it("[SEC-21] when the last one that waits gives up, nobody waits, and the next is let in as soon as there is room", async () => {
    const { begun, enter, pass, gate } = open()
    for (const name of ["a", "b", "c", "d"]) enter("attended", name)
    const last = enter("attended", "gone")
    last?.leave()
    last?.leave()
    expect(gate.waiting("ana")).toBe(0)
    await pass(1_000)
    expect(enter("attended", "e")).toBeUndefined()
    const waits = enter("attended", "f")
    const alsoWaits = enter("attended", "g")
    waits?.leave()
    waits?.leave()
    expect(gate.waiting("ana")).toBe(1)
    expect(alsoWaits).toBeDefined()
    await pass(1_000)
    expect(begun).toEqual(["a", "b", "c", "d", "e", "g"])
  })

  it("[SEC-21] an unattended call that has to wait for the rate of all takes nothing from its own", async () => {
    const { begun, enter, pass } = open()
    for (const name of ["a", "b", "c", "d"]) enter("attended", name)
    enter("unattended", "s1")
    enter("unattended", "s2")
    await pass(1_000)
    expect(begun.at(-1)).toBe("s1")
    await pass(1_000)
    expect(begun.at(-1)).toBe("s2")
  })

  it("[SEC-21] half of one a minute is still one", () => {
    expect(callRates(1).unattended).toEqual({ perMinute: 1, atOnce: 1 })
  })
})
