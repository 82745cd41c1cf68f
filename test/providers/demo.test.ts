/** The demo model in whole turns, with the tools that come with Parlor. */
import { demoModel } from "@parlor/models"
import { systemClock } from "@parlor/server"
import { afterEach, describe, expect, it } from "vitest"
import { defaultAgents } from "../../packages/cli/src/serve/agents.ts"
import { address, openStage, type Stage, txid } from "../scenario/stage.ts"

let stage: Stage
afterEach(() => stage.close())

async function open(): Promise<void> {
  const [host] = await defaultAgents(demoModel({ clock: systemClock, wordsPerSecond: 2_000 }))
  if (host === undefined) throw new Error("there is no agent")
  stage = await openStage({
    agent: { ...host, name: "crab" },
    settings: { retry: { tries: 5, baseMs: 10, maxMs: 20 } },
  })
}

describe("the demo model in a turn", () => {
  it("[TRN-12] `ask me` waits for the person and goes on with the answer", async () => {
    await open()
    await stage.send("ask me")
    const rows = await stage.until((now) => now.status.get("status")?.state === "waiting")
    const [ask] = [...rows.asks.values()]
    expect(ask).toMatchObject({ kind: "question", options: ["Tea", "Coffee", "Surprise me"], state: "open" })
    await stage.runtime.answer(address, ask?.id ?? "", "Tea", { by: "ana", txid })
    await stage.idle()
    expect((await stage.transcript()).slice(1)).toEqual([
      expect.stringContaining('[ask_person done: "Tea"]'),
      expect.stringContaining("You answered **Tea**."),
    ])
  })

  it("[TRN-10] `fail twice` is tried three times and then answers; asked again it does so again", async () => {
    await open()
    for (let i = 0; i < 2; i++) {
      await stage.send("fail twice")
      await stage.idle()
    }
    expect(await stage.transcript()).toEqual([
      "person: fail twice",
      "agent: That worked, at try number 3.",
      "person: fail twice",
      "agent: That worked, at try number 3.",
    ])
    const attempts = (await stage.log()).flatMap((change) =>
      change.type === "status" && change.value.state === "retrying" ? [change.value.attempt] : [],
    )
    expect(attempts).toEqual([2, 3, 2, 3])
  })

  it("[TRN-10] `fail halfway` keeps what it had said, marked", async () => {
    await open()
    await stage.send("fail halfway")
    await stage.idle()
    expect((await stage.transcript()).slice(1)).toEqual([
      "agent (failed): I will get about this far and then ",
      "agent: I will get about this far and then go on, because I was tried again.",
    ])
  })

  it("[TRN-16] `use a tool` shows one at work", async () => {
    await open()
    await stage.send("use a tool")
    await stage.idle()
    expect((await stage.transcript()).slice(1)).toEqual([
      expect.stringContaining("[current_time done: "),
      expect.stringMatching(/^agent: It is \*\*/),
    ])
  })

  it("[QUE-1, TRN-4] `count slowly to 50` leaves time to queue and to stop", async () => {
    await open()
    const { turn } = await stage.send("count slowly to 50")
    expect(await stage.send("say done")).toMatchObject({ outcome: "queued" })
    await stage.until((rows) => rows.deltas.size > 0)
    await stage.runtime.stop(address, { turn, onQueue: "drain", txid })
    await stage.idle()
    expect(await stage.transcript()).toEqual([
      "person: count slowly to 50",
      expect.stringMatching(/^agent \(truncated\): 1, /),
      "person: say done",
      "agent: done",
    ])
  })
})
