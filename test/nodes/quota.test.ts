/** Limits of one person are those of all nodes together, and what was used stays used (SEC-14, SEC-22 to SEC-24, SEC-42). */
import { createHash } from "node:crypto"
import { defaultQuotaSettings, defaultUsageSettings } from "@parlor/core"
import { limits } from "@parlor/protocol"
import { expect, test } from "vitest"
import { until } from "../faults/waiting.ts"
import { credential } from "../faults/wire.ts"
import { openNodes, type TestNode } from "./node.ts"
import { stageOf } from "./stage.ts"

const CONVERSATIONS = 4
const SOON_MS = 30_000
const FILES = 5
const quota = { ...defaultQuotaSettings, conversations: CONVERSATIONS, storedBytes: 60_000, files: FILES }
const settings = { drainDelayMs: 5, quota, usage: { ...defaultUsageSettings, tokensPerDay: 40 } }
const stage = stageOf(2, { settings })

test("[SEC-24] conversations are counted for all nodes, and a deleted one makes room on each", async () => {
  const person = "ana"
  const made: string[] = []
  const make = async (node: TestNode, branch: string) => {
    await node.runtime.make({ agent: "host", person, branch }, node.runtime.txid())
    made.push(branch)
  }
  for (let n = 0; n < CONVERSATIONS; n++) await make(stage.at(n), `c${n}`)
  for (const node of [stage.a, stage.b])
    await expect(make(node, "more")).rejects.toMatchObject({
      code: "quota.conversations",
      quota: { used: CONVERSATIONS, allowed: CONVERSATIONS },
    })
  await stage.b.runtime.remove({ agent: "host", person, branch: "c0" }, { branches: [], txid: stage.b.runtime.txid() })
  await make(stage.a, "more")
  await expect(make(stage.b, "again")).rejects.toMatchObject({ code: "quota.conversations" })
})

test("[SEC-23] bytes are counted for all nodes", async () => {
  const person = "bea"
  const put = (node: TestNode, name: string, content: string) =>
    node.runtime.attach(
      person,
      { name, contentType: "text/plain", hash: createHash("sha256").update(content).digest("hex") },
      Buffer.from(content),
    )
  await put(stage.a, "one.txt", "a".repeat(30_000))
  await put(stage.b, "two.txt", "b".repeat(20_000))
  for (const node of [stage.a, stage.b])
    await expect(put(node, "three.txt", "c".repeat(20_000))).rejects.toMatchObject({ code: "quota.bytes" })
})

test("[SEC-42] files are counted for all nodes", async () => {
  const person = "fay"
  const address = { agent: "host", person, branch: "main" }
  const put = (node: TestNode, path: string) =>
    node.runtime.writeFile(address, path, Buffer.from(path), { txid: node.runtime.txid() })
  for (let n = 0; n < FILES; n++) await put(stage.at(n), `${n}.txt`)
  for (const node of [stage.a, stage.b])
    await expect(put(node, "more.txt")).rejects.toMatchObject({
      code: "quota.files",
      quota: { used: FILES, allowed: FILES },
    })
  await stage.b.runtime.removeFile(address, "0.txt", { txid: stage.b.runtime.txid() })
  await put(stage.a, "more.txt")
})

test("[SEC-22] the day's budget is one for all nodes, and deleting the conversation gives nothing back", async () => {
  const person = "cem"
  const talk = async (node: TestNode, branch: string): Promise<string | undefined> => {
    const address = { agent: "host", person, branch }
    await node.runtime.make(address, node.runtime.txid())
    const said = {
      type: "composer_input",
      payload: { source: "cost 30", nodes: [] },
      mode: "queued",
      source: "test",
    } as const
    const seen = () => node.runtime.snapshot(address, { messages: 100 })
    const before = (await seen()).messages.length
    await node.runtime.send(address, { ...said, txid: node.runtime.txid() })
    await until(SOON_MS, "the end of the turn", async () => {
      const { status, messages } = await seen()
      return status.state === "error" || (status.state === "idle" && messages.length === before + 2)
    })
    return (await seen()).status.error?.code
  }
  for (let n = 0; ; n++) {
    const code = await talk(stage.a, "spent")
    if (code === "budget.exceeded") break
    expect(code).toBeUndefined()
    expect(n).toBeLessThan(20)
  }
  await stage.a.runtime.remove(
    { agent: "host", person, branch: "spent" },
    { branches: [], txid: stage.a.runtime.txid() },
  )
  expect(await talk(stage.b, "on-b")).toBe("budget.exceeded")
  expect(await talk(stage.a, "on-a")).toBe("budget.exceeded")
})

test("[SEC-14] open streams are counted for all nodes; those of a node that is gone are free again", async () => {
  const most = limits.streamsPerPerson
  const [third] = await openNodes(stage.url, 1, { settings })
  if (third === undefined) throw new Error("no third node")
  // Responses are kept: one that is collected as garbage closes its connection.
  const open: { readonly leaving: AbortController; readonly response: Response }[] = []
  const status = async (node: TestNode): Promise<number> => {
    const leaving = new AbortController()
    const response = await fetch(`${node.url}/v1/feed?offset=-1&live=sse`, {
      headers: credential(),
      signal: leaving.signal,
    })
    if (response.status === 200) open.push({ leaving, response })
    else await response.text()
    return response.status
  }
  try {
    for (let n = 0; n < most; n += 10) {
      const node = [stage.a, stage.b, third][(n / 10) % 3] ?? stage.a
      const statuses = await Promise.all(Array.from({ length: 10 }, () => status(node)))
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    for (const node of [stage.a, stage.b, third]) expect(await status(node)).toBe(429)
    // Another counter has its own room.
    const key = await keyOf(stage.a)
    const hers = new AbortController()
    const response = await fetch(`${stage.b.url}/v1/feed?offset=-1&live=sse`, {
      headers: { authorization: `Bearer ${key}` },
      signal: hers.signal,
    })
    expect(response.status).toBe(200)
    hers.abort()
    for (const { leaving } of open.splice(0, 5)) leaving.abort()
    await until(SOON_MS, "room on a node", async () => (await status(stage.b)) === 200)
    await third.close()
    let more = 0
    await until(SOON_MS, "the room of the third node", async () => {
      if ((await status(stage.a)) === 200) more += 1
      return more > 50
    })
  } finally {
    for (const { leaving } of open) leaving.abort()
  }
})

async function keyOf(node: TestNode): Promise<string> {
  const response = await fetch(`${node.url}/v1/keys`, {
    method: "POST",
    headers: { ...credential(), "content-type": "application/json" },
    body: JSON.stringify({ name: "other" }),
  })
  return ((await response.json()) as { readonly secret: string }).secret
}
