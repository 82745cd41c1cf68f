/** Rolled back, cancelled and branched through one node, while the other runs the turns and knows the conversation. */
import type { RollbackRow, Snapshot } from "@parlor/protocol"
import { expect, test } from "vitest"
import { until } from "../faults/waiting.ts"
import { get, pathOf } from "../faults/wire.ts"
import type { TestNode } from "./node.ts"
import { stageOf } from "./stage.ts"
import { Talk } from "./talk.ts"

const SOON_MS = 20_000
const stage = stageOf(2)

const open = async (node: TestNode, name: string) =>
  (await (await get(`${node.url}${pathOf(name)}`)).json()) as Snapshot

const shown = ({ messages }: Snapshot) =>
  messages.map(
    ({ role, dimmed, state }) =>
      `${dimmed ? "(" : ""}${role}${state === "done" ? "" : ` ${state}`}${dimmed ? ")" : ""}`,
  )

async function said(talk: Talk, node: TestNode, text: string): Promise<string> {
  const { message } = await talk.send(node, text)
  await talk.rest()
  return message
}

const rollBack = (talk: Talk, node: TestNode, to: string) =>
  talk.do<{ rollback: RollbackRow }>(node, "POST", "/rollback", { to })

test("[RBK-2] what one node knows of a conversation is forgotten when another rolls it back, and when it cancels", async () => {
  const talk = await Talk.begin(stage.a)
  const first = await said(talk, stage.a, "say 1")
  await said(talk, stage.a, "say 2")
  const { rollback } = await rollBack(talk, stage.b, first)
  await said(talk, stage.a, "echo below")
  const below = JSON.stringify(stage.a.model.requests.at(-1)?.messages)
  expect(below).toContain("say 1")
  expect(below).not.toContain("say 2")
  await talk.do(stage.b, "POST", `/rollback/${rollback.id}/cancel`)
  await said(talk, stage.a, "echo after")
  const after = JSON.stringify(stage.a.model.requests.at(-1)?.messages)
  expect(after).toContain("say 2")
  expect(after).not.toContain("echo below")
})

test("[RBK-8] rolled back from another node, the turn is stopped where it runs, and nothing follows", async () => {
  const talk = await Talk.begin(stage.a)
  const first = await said(talk, stage.a, "say 1")
  await talk.send(stage.a, "say 200 slowly")
  await talk.until("some words", ({ deltas }) => deltas.size > 1)
  await talk.send(stage.a, "say 3")
  expect((await rollBack(talk, stage.b, first)).rollback.state).toBe("done")
  const head = (await talk.log()).length
  await until(SOON_MS, "the old owner to let its model go", () => stage.a.model.open === 0)
  for (const node of [stage.a, stage.b]) {
    const snapshot = await open(node, talk.name)
    expect(shown(snapshot)).toEqual(["person", "(agent)", "(person)", "(agent truncated)"])
    expect(snapshot.status).toMatchObject({ state: "idle", held: { reason: "stopped" } })
    expect(snapshot.queue).toHaveLength(1)
  }
  expect(await talk.log()).toHaveLength(head)
})

test("[RBK-6] [TRN-1] rolled back through both nodes at once, one comes after the other, and both are undone in reverse", async () => {
  for (let round = 0; round < 6; round++) {
    const talk = await Talk.begin(stage.a)
    const first = await said(talk, stage.at(round), "say 1")
    const second = await said(talk, stage.at(round), "say 2")
    const before = shown(await open(stage.a, talk.name))
    const answers = await Promise.all([
      talk.try<{ rollback: RollbackRow }>(stage.a, "POST", "/rollback", { to: first }),
      talk.try<{ rollback: RollbackRow }>(stage.b, "POST", "/rollback", { to: second }),
    ])
    for (const answer of answers)
      if (answer.outcome !== "ok") expect(answer).toMatchObject({ outcome: "refused", code: "rollback.dimmed" })
    const { rollbacks } = await open(stage.b, talk.name)
    expect(rollbacks).toHaveLength(answers.filter(({ outcome }) => outcome === "ok").length)
    for (const { id } of [...rollbacks].sort((a, b) => b.began - a.began))
      await talk.do(stage.at(round + 1), "POST", `/rollback/${id}/cancel`)
    expect(shown(await open(stage.b, talk.name))).toEqual(before)
  }
})

test("[BRA-3] branched through one node while the other runs the parent's turn, both go on", async () => {
  const talk = await Talk.begin(stage.a)
  const first = await said(talk, stage.a, "say 1")
  await talk.send(stage.a, "say 100 slowly")
  await talk.until("some words", ({ deltas }) => deltas.size > 1)
  const place = await talk.do<{ branch: string }>(stage.b, "POST", "/branches", { from: first })
  const name = `host/${encodeURIComponent(place.branch)}`
  expect(shown(await open(stage.a, name))).toEqual(["person"])
  await talk.rest()
  expect(shown(await open(stage.b, talk.name))).toEqual(["person", "agent", "person", "agent"])
  expect((await open(stage.b, talk.name)).branches.map(({ branch }) => branch)).toEqual([place.branch])
})
