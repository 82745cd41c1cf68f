/** Whatever a crash left in the log, the provider takes the next request (TRN-8). The wiretap refuses what is invalid. */
import { emptyUsage, type MessageRow, type Part, type TurnRow, type TxId } from "@parlor/protocol"
import { messageWith } from "@parlor/protocol/testing"
import { afterEach, describe, expect, it } from "vitest"
import { address } from "../scenario/stage.ts"
import { openStand, providers, type Stand } from "./stand.ts"
import { requestOf } from "./wire-request.ts"

const text = (said: string): Part => ({ type: "text", text: said })
const tool = (call: string, state: "waiting" | "started" | "unknown" | "failed" | "done", name = "weather"): Part => ({
  type: "tool",
  call,
  name,
  input: state === "failed" ? '{"ci' : { city: "Oslo" },
  state,
  output: state === "done" ? { celsius: 4 } : null,
  error: state === "failed" ? { code: "tool.input", detail: "" } : null,
})

type Left = readonly (Pick<MessageRow, "role" | "state"> & { readonly parts: Part[] })[]

const left: readonly (readonly [string, Left])[] = [
  [
    "a tool whose outcome is unknown",
    [{ role: "agent", state: "truncated", parts: [text("Hm"), tool("c1", "unknown")] }],
  ],
  [
    "tools that started, waited and failed",
    [agent("truncated", tool("a", "started"), tool("b", "waiting"), tool("c", "failed"))],
  ],
  ["an answer cut off", [agent("truncated", text("Once upon a "))]],
  ["an attempt that failed, with a call in it", [agent("failed", text("Half"), tool("c1", "unknown"))]],
  ["nothing but thoughts", [agent("done", { type: "reasoning", text: "hm" })]],
  ["blank texts and empty messages", [agent("done", text(" \n")), agent("truncated")]],
  ["one id for many calls", [agent("done", tool("c", "done"), tool("c", "done")), agent("done", tool("c", "done"))]],
  [
    "ids and names of another kind",
    [agent("done", tool("a b/é", "done", "no such tool!"), tool("x".repeat(90), "done", ""))],
  ],
  [
    "two questions in a row",
    [{ role: "person", state: "done", parts: [text("And Rome?")] }, agent("failed", text("R"))],
  ],
]

describe.each(providers)("$name after a crash", (provider) => {
  let stand: Stand
  afterEach(() => stand.close())

  it.each(left)("[TRN-8] %s: the next request is accepted", async (_, messages) => {
    stand = await openStand(provider)
    await stand.stage.send("Oslo?")
    await stand.stage.idle()
    await leave(stand, messages)
    await stand.stage.send("Go on")
    const rows = await stand.stage.idle()
    expect(rows.status.get("status")).toMatchObject({ state: "idle", error: null })
    expect((await stand.stage.transcript()).at(-1)).toBe("agent: Fine.")
    const sent = stand.tap.requests.map(({ path, body }) => requestOf(path, body)).at(-1)
    expect(sent?.messages[0]).toEqual({ role: "person", text: "Oslo?" })
    expect(JSON.stringify(sent?.messages.at(-1))).toContain("Go on")
  })
})

function agent(state: MessageRow["state"], ...parts: Part[]): Left[number] {
  return { role: "agent", state, parts }
}

/** Whoever says something has begun a turn before. */
const turn: TurnRow = {
  id: "trn_left" as TurnRow["id"],
  message: "msg_left" as TurnRow["message"],
  agent: "host",
  guest: null,
  guestsNext: [],
  compaction: null,
  settings: null,
  runs: [],
  state: "interrupted",
  steps: 0,
  usage: emptyUsage,
  startedAt: 0,
  endedAt: 0,
  error: null,
  began: null,
  step: null,
}
const begun = {
  collection: "turns",
  key: turn.id,
  operation: "insert",
  value: JSON.stringify(turn),
  ord: turn.startedAt,
} as const

async function leave({ stage }: Stand, messages: Left): Promise<void> {
  const stream = await stage.runtime.conversation(address)
  const changes = messages.map((message, index) => {
    const ord = 100 + index
    const row = messageWith({ id: `msg_left_${index}` as MessageRow["id"], ord, ...message })
    return { collection: "messages", key: row.id, operation: "insert", value: JSON.stringify(row), ord } as const
  })
  await stage.store.log.commit([{ stream: stream.id, changes: [begun, ...changes], txid: "tx_crash" as TxId, at: 0 }])
}
