/** A process dies while a command of an agent runs: the next one does not run it again. */
import { createRuntime, defaultRunSettings, type Sandbox, silentLog } from "@parlor/core"
import {
  calls,
  countingIds,
  FakeClock,
  MemoryFiles,
  type MemoryHooks,
  MemorySpool,
  MemoryStore,
  says,
  scriptedModel,
} from "@parlor/core/testing"
import type { TxId } from "@parlor/protocol"
import { expect, it } from "vitest"

const address = { agent: "crab", person: "ana", branch: "main" } as const
const LEASE_MS = 10_000

it("[SBX-7] a command that a crash interrupts is not run again, and its outcome is unknown", async () => {
  const clock = new FakeClock()
  const data = new MemoryStore(clock)
  const ids = countingIds()
  let died = false
  let runs = 0
  let began = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    began = resolve
  })
  const hanging: Sandbox = {
    unavailable: async () => undefined,
    run: () => {
      runs += 1
      began()
      return new Promise(() => {})
    },
  }
  const model = scriptedModel([calls("run", { command: "make" }), says("I do not know what happened.")])
  const open = async (name: string, hooks: MemoryHooks) => {
    const store = data.node(hooks)
    const renew = store.log.renew.bind(store)
    store.log.renew = (...lease) => (died && name === "first" ? new Promise(() => {}) : renew(...lease))
    const agent = { name: "crab", description: "", instructions: "", model, tools: [], slashCommands: [] }
    const runtime = createRuntime({
      name,
      store,
      files: new MemoryFiles(),
      sandbox: hanging,
      spool: new MemorySpool(),
      clock,
      ids,
      random: { next: () => 0.5 },
      log: silentLog,
      agents: [{ ...agent, workspace: true, run: { ...defaultRunSettings, approval: "never" } }],
      settings: { leaseMs: LEASE_MS, renewMs: 3_000, sweepMs: 2_000 },
    })
    void runtime.start()
    await clock.advance(0)
    return runtime
  }
  const first = await open("first", { latency: () => (died ? new Promise(() => {}) : Promise.resolve()) })
  const message = { type: "composer_input", payload: { source: "Build it" }, mode: "immediate" } as const
  void first.send(address, { ...message, source: "test", txid: "tx_test" as TxId })
  await hasBegun
  died = true
  const second = await open("second", {})
  await clock.advance(LEASE_MS * 3)
  const { messages, status } = await second.snapshot(address, { messages: 10 })
  expect(runs).toBe(1)
  expect(status.state).toBe("idle")
  expect(messages.flatMap(({ role, parts }) => (role === "agent" ? parts : []))).toMatchObject([
    { type: "tool", name: "run", state: "unknown" },
    { type: "text", text: "I do not know what happened." },
  ])
})
