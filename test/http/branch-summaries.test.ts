/** Which summaries the model of a branch is told, over HTTP. */
import type { ModelRequest } from "@parlor/core"
import { says } from "@parlor/core/testing"
import { routes } from "@parlor/protocol"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { ask, read } from "./client.ts"
import { converse, eventually, open, pathOf } from "./conversations.ts"
import { STORES, startTestServer, type TestServer } from "./server.ts"
import { idIn, threeTurns } from "./three-turns.ts"

describe.each(STORES)("summaries in branches on %s", (kind) => {
  let server: TestServer
  let path: string
  let topics = 0

  beforeAll(async () => {
    server = await startTestServer({ kind })
  })
  afterAll(() => server.close())

  beforeEach(async () => {
    topics += 1
    path = pathOf("host", `topic-${topics}`)
    await threeTurns(server, path)
  })

  const idOf = (text: string) => idIn(server, path, text)
  const compact = async (where: string, summary: string, keepTurns: number) => {
    server.script(says(summary))
    expect((await ask(server, "POST", `${where}/compact`, { body: { keepTurns } })).status).toBe(202)
    await eventually(async () => (await open(server, where)).status.state).toBe("idle")
    expect((await open(server, where)).archives.at(-1)?.summary).toBe(summary)
  }
  const rollBack = async (where: string, to: string) =>
    (await read(server, routes.rollBack.answer.schema, "POST", `${where}/rollback`, { body: { to } })).rollback.id
  const cancel = async (where: string, id: string) =>
    (await read(server, routes.cancelRollback.answer.schema, "POST", `${where}/rollback/${id}/cancel`)).rollback.id
  /** What the model is told in a new branch from that message: the summary, if any, and the rest. */
  const toldFrom = async (from: string, where = path) => {
    const place = await read(server, routes.makeBranch.answer.schema, "POST", `${where}/branches`, { body: { from } })
    await converse(server, pathOf(place.agent, place.branch), "on")
    return told(server.requests.at(-1))
  }

  test("[BRA-7] a summary made when its message was the newest is told; one made later is not", async () => {
    const [a2, a3] = [await idOf("a2"), await idOf("a3")]
    await compact(path, "Sum of q1 to a3.", 0)
    expect(await toldFrom(a3)).toEqual(["Sum of q1 to a3.", "on"])
    expect(await toldFrom(a2)).toEqual(["q1", "a1", "q2", "a2", "on"])
    server.script(says("a4"), says("a5"))
    await converse(server, path, "q4")
    await converse(server, path, "q5")
    await compact(path, "Sum of q1 to a4.", 1)
    const later = await toldFrom(await idOf("a4"))
    expect(later, "it covers only what the branch has, but was made later").toEqual([
      ...["Sum of q1 to a3.", "q4", "a4", "on"],
    ])
  })

  test("[BRA-7] from a dimmed message, the summary that was dimmed with it is told, and none made afterwards", async () => {
    const [q1, a3] = [await idOf("q1"), await idOf("a3")]
    await compact(path, "Sum of q1 to a3.", 0)
    await rollBack(path, q1)
    await compact(path, "Sum of q1.", 0)
    expect(await toldFrom(a3)).toEqual(["Sum of q1 to a3.", "on"])
    expect(await toldFrom(q1)).toEqual(["Sum of q1.", "on"])
  })

  test("[BRA-7] the same goes for an inherited message and a summary made in the branch that inherited it", async () => {
    const [q1, a3] = [await idOf("q1"), await idOf("a3")]
    const made = await read(server, routes.makeBranch.answer.schema, "POST", `${path}/branches`, { body: { from: a3 } })
    const where = pathOf(made.agent, made.branch)
    await compact(where, "Sum of q1 to a3.", 0)
    await rollBack(where, q1)
    await compact(where, "Sum of q1.", 0)
    expect(await toldFrom(a3, where)).toEqual(["Sum of q1 to a3.", "on"])
    expect(await toldFrom(q1, where)).toEqual(["Sum of q1.", "on"])
    expect(await toldFrom(a3, path), "the parent knows none of them").toHaveLength(7)
  })

  test("[BRA-7] a summary that was rolled back when its message was last visible is not told", async () => {
    const [q1, a1] = [await idOf("q1"), await idOf("a1")]
    const first = await rollBack(path, q1)
    await converse(server, path, "q4")
    await converse(server, path, "q5")
    await compact(path, "Sum of q1.", 2)
    const second = await cancel(path, first)
    expect(await toldFrom(a1)).toEqual(["q1", "a1", "on"])
    await cancel(path, second)
    expect(await toldFrom(a1)).toEqual(["q1", "a1", "on"])
  })

  test("[BRA-7] a summary that was dimmed before its message was said is not told, even if both are dimmed now", async () => {
    const q1 = await idOf("q1")
    await compact(path, "Sum of q1 to a3.", 0)
    await rollBack(path, q1)
    server.script(says("a4"))
    await converse(server, path, "q4")
    const a4 = await idOf("a4")
    await rollBack(path, q1)
    expect(await toldFrom(a4)).toEqual(["q1\n\nq4", "a4", "on"])
  })
})

/** A summary without its frame. */
function told(request: ModelRequest | undefined): readonly string[] {
  const texts = (request?.messages ?? []).map((message) => {
    if (message.role === "person") return message.text
    return message.role === "agent" ? message.parts.map((part) => ("text" in part ? part.text : "")).join("") : "tools"
  })
  return texts.flatMap((text) => {
    const summary = /<summary>[\s\S]*?\n\n([\s\S]*?)\s*<\/summary>\s*/.exec(text)
    return summary === null ? [text] : [summary[1] ?? "", text.slice(summary.index + summary[0].length)]
  })
}
