import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { startParlor, type TestParlor, until } from "./parlor.ts"

let parlor: TestParlor
let count = 0
let branch = ""
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())
beforeEach(async () => {
  count += 1
  branch = `b${count}`
  await conversation().make()
})

const conversation = () => parlor.sdk.conversation("host", branch)
const run = (...args: readonly string[]) => parlor.run([...args, "-b", branch])
const snapshot = () => conversation().open()
const queued = async () => (await snapshot()).queue.map((row) => (row.payload as { source: string }).source)
const idle = () => until(snapshot, ({ status, queue }) => status.state === "idle" && queue.length === 0)
const asked = async () =>
  (await snapshot()).messages.flatMap((row) =>
    row.role === "person" ? row.parts.map((part) => ("text" in part ? part.text : "")) : [],
  )

/** A turn that runs for as long as a test may take, and messages waiting behind it. */
async function busyWith(...texts: readonly string[]): Promise<void> {
  await conversation().send("count slowly to 500")
  for (const text of texts) await conversation().send(text)
  expect(await queued()).toEqual(texts)
}

describe("parlor send", () => {
  test("[QUE-1] prints the answer, and says when it queued instead", async () => {
    expect(await run("send", "say", "hello")).toMatchObject({ code: 0, out: "hello\n" })
    await busyWith()
    expect(await run("send", "--no-wait", "say one")).toMatchObject({ code: 0, err: "queued at position 1\n" })
    expect(await queued()).toEqual(["say one"])
  })
})

describe("parlor send with references and files", () => {
  const kinds = (input: unknown) =>
    ((input as { nodes?: { kind: string; name?: string }[] }).nodes ?? []).map(({ kind, name }) => [kind, name])

  test("[CMP-5] typed references arrive as nodes: in a send, an edit and a chat", async () => {
    await run("send", "--no-wait", "say see @src/a.ts:3-4, #parse and /later")
    expect((await idle()).messages[0]?.composer?.nodes).toEqual([
      { kind: "file", start: 8, end: 21, raw: "@src/a.ts:3-4", path: "src/a.ts", lines: { from: 3, to: 4 } },
      { kind: "symbol", start: 23, end: 29, raw: "#parse", name: "parse" },
    ])
    expect(await parlor.run(["chat", "-b", branch], "//unknown say (@critic) hello\n")).toMatchObject({ code: 0 })
    const { messages } = await idle()
    expect(kinds(messages[2]?.composer)).toEqual([
      ["slash_command", "unknown"],
      ["mention", "critic"],
    ])
    await busyWith("say one")
    expect(await run("queue", "edit", "1", "say two @critic, please")).toMatchObject({ code: 0 })
    const [row] = (await snapshot()).queue
    expect(kinds(row?.payload)).toEqual([["mention", "critic"]])
    expect(row?.guests).toEqual(["critic"])
  })

  test("[CMP-15] files are attached, with and without text", async () => {
    const file = join(parlor.folder, "notes.md")
    writeFileSync(file, "# Notes")
    expect(await run("send", "--attach", file, "say", "hello")).toMatchObject({ code: 0, out: "hello\n" })
    expect(await run("send", "--no-wait", "--attach", file)).toMatchObject({ code: 0 })
    const { messages } = await idle()
    const [first, , second] = messages
    const part = { type: "attachment", name: "notes.md", mediaType: "text/markdown", bytes: 7 }
    expect(first?.parts).toMatchObject([{ type: "text", text: "say hello" }, part])
    expect(second?.parts).toMatchObject([{ type: "text", text: "" }, part])
    expect(await run("send", "--attach", "no-such-file", "hi")).toMatchObject({
      code: 2,
      err: expect.stringContaining("no-such-file cannot be read"),
    })
    expect((await snapshot()).messages.length).toBe(messages.length)
  })
})

describe("parlor queue", () => {
  test("[QUE-13] lists position, id, mode, source and text", async () => {
    await busyWith("say one", "say two\nand more")
    await conversation().send("say later \u001b[2J", { mode: "paused" })
    const { queue } = await snapshot()
    const { code, out } = await run("queue")
    expect(code).toBe(0)
    expect(out.split("\n")).toEqual([
      `1  ${queue[0]?.id}  queued  person  say one`,
      `2  ${queue[1]?.id}  queued  person  say two…`,
      `3  ${queue[2]?.id}  paused  person  say later ␛[2J`,
      "",
    ])
    const json = (await run("queue", "list", "host", "--json")).out.trim().split("\n")
    expect(json.map((line) => JSON.parse(line).id)).toEqual(queue.map((row) => row.id))
  })

  test("[QUE-7] edits, moves, pauses, releases and removes, by position or by id", async () => {
    await busyWith("say one", "say two", "say three")
    const [first] = (await snapshot()).queue
    expect(await run("queue", "edit", "2", "say", "deux")).toMatchObject({ code: 0 })
    expect(await run("queue", "move", "3", "--before", first?.id ?? "")).toMatchObject({ code: 0 })
    expect(await queued()).toEqual(["say three", "say one", "say deux"])
    expect(await run("queue", "remove", first?.id ?? "")).toMatchObject({ code: 0 })
    expect(await queued()).toEqual(["say three", "say deux"])
    await run("queue", "pause", "1")
    expect((await snapshot()).queue[0]?.mode).toBe("paused")
    await run("queue", "release", "1")
    expect((await snapshot()).queue[0]?.mode).toBe("immediate")
    expect(await run("queue", "clear")).toMatchObject({ code: 0, err: "Removed 2.\n" })
    expect(await run("queue")).toMatchObject({ code: 0, out: "", err: "The queue is empty.\n" })
  })

  test("[QUE-9] a late command is told what happened instead", async () => {
    await busyWith("say one")
    const [row] = (await snapshot()).queue
    await conversation().sendNow(row?.id ?? "")
    const late = await run("queue", "edit", row?.id ?? "", "too late")
    expect(late).toMatchObject({ code: 5, err: expect.stringContaining("has already started") })
    expect(await run("queue", "remove", "4")).toMatchObject({ code: 2, err: "The queue is empty.\n" })
    expect((await run("queue", "move", "1")).err).toContain("--before or --after")
  })

  test("[QUE-10] now starts that message, the others follow", async () => {
    await busyWith("say one", "say two")
    expect(await run("queue", "now", "2")).toMatchObject({ code: 0, err: expect.stringContaining("Started") })
    await idle()
    expect(await asked()).toEqual(["count slowly to 500", "say two", "say one"])
  })

  test("[QUE-5] hold and resume", async () => {
    await busyWith("say one")
    expect(await run("queue", "hold")).toMatchObject({ code: 0, err: expect.stringContaining("1 queued") })
    expect((await run("queue")).err).toContain("The queue is paused: someone paused it.")
    await conversation().stop()
    expect(await queued()).toEqual(["say one"])
    expect(await run("queue", "resume")).toMatchObject({ code: 0 })
    await idle()
    expect(await asked()).toEqual(["count slowly to 500", "say one"])
  })
})

describe("parlor send --guest", () => {
  test("[GST-6] guests answer in the order they are named; the transcript says who speaks", async () => {
    const sent = await run("send", "--guest", "critic", "-g", "scribe", "say well well")
    expect(sent).toEqual({ code: 0, out: "well well\n\nscribe:\n\nwell well\n", err: "[critic]\n" })
    const { messages } = await idle()
    expect(messages.map(({ author }) => author)).toEqual(["", "critic", "scribe"])
  })

  test("[GST-1] an unknown guest is refused, and nothing is sent", async () => {
    expect(await run("send", "--guest", "nobody", "hello")).toMatchObject({
      code: 5,
      err: expect.stringContaining("nobody"),
    })
    expect((await snapshot()).messages).toEqual([])
  })
})

describe("parlor links", () => {
  test("[ADR-4] adds, lists and removes linked names of a person", async () => {
    expect(await parlor.run(["links", "add", "telegram:42"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("Linked telegram:42 to me"),
    })
    expect((await parlor.run(["links", "--of", "me"])).out).toBe("telegram:42  me\n")
    expect(await parlor.run(["links", "rm", "telegram:42"])).toMatchObject({ code: 0 })
    expect((await parlor.sdk.links.list()).links).toEqual([])
  })
})

describe("parlor stop", () => {
  test("[TRN-4] stops the turn it names and no other; [QUE-5] the queue is held", async () => {
    await busyWith("say one")
    const wrong = await run("stop", "--turn", "trn_other")
    expect(wrong).toMatchObject({ code: 5, err: expect.stringContaining("has already ended") })
    const { turn } = (await snapshot()).status
    const stopped = await run("stop", "host", "--turn", turn ?? "")
    expect(stopped).toMatchObject({ code: 0, err: expect.stringContaining("paused, 1 queued") })
    expect((await snapshot()).status).toMatchObject({ state: "idle", held: { reason: "stopped" } })
    expect(await run("stop")).toMatchObject({ code: 5, err: expect.stringContaining("nothing to stop") })
  })

  test("[QUE-5] a stop may clear the queue", async () => {
    await busyWith("say one")
    expect((await run("stop", "--on-queue", "burn")).err).toContain("hold, drain, clear")
    expect(await run("stop", "--on-queue", "clear")).toMatchObject({ code: 0 })
    expect(await queued()).toEqual([])
  })
})

describe("parlor ask", () => {
  const question = 'use ask_person {"question":"Red or blue?","options":["red","blue"]}'

  test("[TRN-12] shows the question, accepts the answer, and says when it is too late", async () => {
    await conversation().send(question)
    const { asks } = await until(snapshot, (now) => now.asks.length === 1)
    const shown = await run("ask")
    expect(shown.out.split("\n").map((line) => line.trim())).toEqual([
      `1  ${asks[0]?.id}  question  Red or blue?`,
      "1. red",
      "2. blue",
      "",
    ])
    expect(await run("ask", "answer", "1", "green")).toMatchObject({
      code: 2,
      err: expect.stringContaining("red, blue"),
    })
    expect(await run("ask", "answer", "1", "2")).toMatchObject({ code: 0, err: expect.stringContaining('"blue"') })
    await idle()
    const late = await run("ask", "answer", asks[0]?.id ?? "", "red")
    expect(late).toMatchObject({ code: 5, err: expect.stringContaining('The answer was "blue"') })
    expect(await run("ask")).toMatchObject({ code: 0, err: "There are no open questions.\n" })
  })

  test("[TRN-12] an open question accepts any text", async () => {
    await conversation().send('use ask_person {"question":"Your name?"}')
    await until(snapshot, (now) => now.asks.length === 1)
    expect(await run("ask", "answer", "1", "Ada", "Lovelace")).toMatchObject({ code: 0 })
    const { messages } = await idle()
    expect(JSON.stringify(messages.at(-1)?.parts)).toContain("Ada Lovelace")
  })

  test("[API-22] parlor answer answers the only open question, and says when there is none", async () => {
    expect(await run("answer", "red")).toMatchObject({ code: 5, err: expect.stringContaining("Nothing waits") })
    await conversation().send(question)
    await until(snapshot, (now) => now.asks.length === 1)
    expect(await run("answer", "green")).toMatchObject({ code: 2, err: expect.stringContaining("red, blue") })
    expect(await run("answer", "2")).toMatchObject({ code: 0, err: expect.stringContaining('"blue"') })
    await idle()
  })
})
