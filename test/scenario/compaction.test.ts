/** Compaction by command and by itself: what the model sees, what stays, what can be undone (CPT). */
import { ModelFault } from "@parlor/core"
import { finish, gate, says } from "@parlor/core/testing"
import { emptyUsage, type Usage } from "@parlor/protocol"
import { afterEach, describe, expect, it, vi } from "vitest"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"

let stage: Stage
const open = async (options: StageOptions) => {
  stage = await openStage(options)
  return stage
}
afterEach(() => stage.close())

const used = (inputTokens: number): Usage => ({ ...emptyUsage, inputTokens })
const texts = (index: number): string => JSON.stringify(stage.model.requests[index]?.messages ?? [])
const last = () => texts(stage.model.requests.length - 1)

async function talk(...words: readonly string[]): Promise<void> {
  for (const text of words) {
    await stage.send(text)
    await stage.idle()
  }
}

async function compact(keepTurns?: number) {
  const { turn } = await stage.runtime.compact(address, { keepTurns, txid })
  const rows = await stage.until((now) => now.turns.get(turn)?.endedAt !== null && now.turns.has(turn))
  return { turn: rows.turns.get(turn), rows }
}

describe("compaction by command", () => {
  it("[CPT-1, CPT-2, CPT-3] sums up all but the last turns, for the model only", async () => {
    await open({
      scripts: [says("one"), says("two"), says("three"), says("Numbers were counted. In order."), says("four")],
    })
    await talk("1", "2", "3")
    const { turn, rows } = await compact(1)
    expect(turn).toMatchObject({ state: "done", compaction: { keepTurns: 1 } })
    const [archive] = [...rows.archives.values()]
    expect(archive).toMatchObject({
      title: "Numbers were counted.",
      summary: "Numbers were counted. In order.",
      ended: null,
    })
    expect(rows.messages.size).toBe(6)
    expect(rows.messages.get(archive?.to ?? ("" as never))?.parts).toEqual([{ type: "text", text: "two" }])
    expect(texts(3)).toContain("## Person\\n1")
    expect(texts(3)).not.toContain("## Person\\n3")
    await talk("4")
    expect(last()).toContain("Numbers were counted. In order.")
    expect(last()).not.toContain('"one"')
    expect(last()).toContain('"three"')
    expect(stage.model.requests.at(-1)?.messages[0]?.role).toBe("person")
  })

  it("[LOG-34] an answer is unread, a compaction leaves the mark as it is", async () => {
    await open({ scripts: [says("one"), says("First."), says("two"), says("Second.")] })
    await talk("1")
    expect((await stage.rows()).status.get("status")?.unread).toBe(true)
    await stage.runtime.mark(address, { read: true }, txid)
    expect((await compact(0)).rows.status.get("status")?.unread).toBe(false)
    await talk("2")
    expect((await compact(0)).rows.status.get("status")?.unread).toBe(true)
  })

  it("[CPT-3] may keep none", async () => {
    await open({ scripts: [says("one"), says("All of it."), says("two")] })
    await talk("1")
    await compact(0)
    await talk("2")
    expect(last()).not.toContain('"one"')
    expect(last()).toContain("All of it.")
  })

  it("[CPT-1] a second one takes up the first summary, and only the newest stands", async () => {
    await open({ scripts: [says("one"), says("First."), says("two"), says("Second."), says("three")] })
    await talk("1")
    await compact(0)
    await talk("2")
    await compact(0)
    expect(texts(3)).toContain("First.")
    await talk("3")
    expect(last()).toContain("Second.")
    expect(last()).not.toContain("First.")
  })

  it("[CPT-4, QUE-2] holds the turn slot: a send meanwhile queues and runs after it", async () => {
    const wait = gate()
    await open({ scripts: [says("one"), [wait, ...says("Sum.")], says("two")] })
    await talk("1")
    const { turn } = await stage.runtime.compact(address, { keepTurns: 0, txid })
    await stage.until((now) => now.status.get("status")?.busyWith === "compaction")
    expect(await stage.send("2")).toMatchObject({ outcome: "queued" })
    await expect(stage.runtime.compact(address, { keepTurns: 0, txid })).rejects.toMatchObject({
      code: "conversation.busy",
    })
    wait.open()
    const rows = await stage.idle()
    expect(rows.turns.get(turn)?.state).toBe("done")
    expect(last()).toContain("Sum.")
    expect((await stage.transcript()).at(-1)).toBe("agent: two")
  })

  it("[CPT-4] can be stopped, and leaves the conversation as it was", async () => {
    await open({ scripts: [says("one"), [gate()], says("two")] })
    await talk("1")
    const { turn } = await stage.runtime.compact(address, { keepTurns: 0, txid })
    await vi.waitFor(() => expect(stage.model.requests).toHaveLength(2))
    expect(await stage.runtime.stop(address, { turn, onQueue: undefined, txid })).toEqual({ turn, state: "stopped" })
    await talk("2")
    expect((await stage.rows()).archives.size).toBe(0)
    expect(last()).toContain('"one"')
  })

  it("[CPT-4] tries with less when the whole is refused; with nothing new to sum up it is done at once", async () => {
    await open({ scripts: [says("one"), [new ModelFault("too long", { transient: false })], says("Short.")] })
    await talk("1")
    expect((await compact(0)).turn?.state).toBe("done")
    const { turn, rows } = await compact(0)
    expect(turn?.state).toBe("done")
    expect(rows.archives.size).toBe(1)
  })

  it("[CPT-4] a summary that cannot be made is an error, visible, and nothing is archived", async () => {
    const refused = new ModelFault("too long", { transient: false })
    await open({ scripts: [says("one"), [refused], [refused], [refused], says("two")] })
    await talk("1")
    const { turn, rows } = await compact(0)
    expect(turn).toMatchObject({ state: "failed", error: { code: "model.failed" } })
    expect(rows.archives.size).toBe(0)
    await talk("2")
    expect(last()).toContain('"one"')
  })

  it("[CPT-5] undone, what it covered is context again; a second time it is refused", async () => {
    await open({ scripts: [says("one"), says("Sum."), says("two")] })
    await talk("1")
    await compact(0)
    const {
      archives: [archive],
    } = await stage.runtime.archives(address)
    const undone = await stage.runtime.undoCompaction(address, archive?.id ?? "", txid)
    expect(undone.ended).toBeGreaterThan(undone.began)
    await talk("2")
    expect(last()).toContain('"one"')
    expect(last()).not.toContain("Sum.")
    const again = stage.runtime.undoCompaction(address, archive?.id ?? "", txid)
    await expect(again).rejects.toMatchObject({ code: "archive.dissolved" })
  })

  it("[CPT-6] its chapters are there to be read, with their messages", async () => {
    await open({ scripts: [says("one"), says("two"), says("Both."), says("three")] })
    await talk("1", "2")
    await compact(0)
    await talk("3")
    const {
      archives: [archive],
    } = await stage.runtime.archives(address)
    const chapter = await stage.runtime.openArchive(address, archive?.id ?? "")
    expect(chapter.archive.title).toBe("Both.")
    expect(chapter.messages.map(({ ord }) => ord)).toEqual([4, 3, 2, 1])
    await expect(stage.runtime.openArchive(address, "arc_none")).rejects.toMatchObject({ code: "archive.unknown" })
  })

  it("[CPT-4] with nothing said there is nothing to compact", async () => {
    await open({})
    const asked = stage.runtime.compact(address, { keepTurns: undefined, txid })
    await expect(asked).rejects.toMatchObject({ code: "compaction.nothing" })
  })
})

describe("compaction by itself", () => {
  it("[CPT-3] happens before the step when the provider's count for the last one is past the window less the reserve", async () => {
    await open({
      scripts: [says("one"), says("two"), says("three", used(85_000)), says("Sum of one."), says("four", used(500))],
      fallback: says("five", used(600)),
    })
    await talk("1", "2", "3")
    expect((await stage.rows()).archives.size).toBe(0)
    await talk("4")
    const rows = await stage.rows()
    expect(rows.archives.size).toBe(1)
    expect(last()).toContain("Sum of one.")
    expect(last()).not.toContain('"one"')
    expect(last()).toContain('"two"')
    await talk("5")
    expect((await stage.rows()).archives.size).toBe(1)
    const kinds = (await stage.log()).flatMap(({ type, value }) =>
      type === "status" ? [(value as { busyWith: string | null }).busyWith] : [],
    )
    expect(kinds).toContain("compaction")
  })

  it("[CPT-3] what it used counts for the turn", async () => {
    const sum = [...says("Sum.").slice(0, -1), finish("stop", used(40))]
    await open({ scripts: [says("a"), says("b"), says("c", used(85_000)), sum, says("d", used(2))] })
    await talk("1", "2", "3", "4")
    const turn = [...(await stage.rows()).turns.values()].at(-1)
    expect(turn?.usage.inputTokens).toBe(42)
  })

  it("[CPT-4, CPT-13] one that fails leaves the turn to go on with everything while that fits", async () => {
    const refused = new ModelFault("no", { transient: false })
    await open({ scripts: [says("a"), says("b"), says("c", used(85_000)), [refused], [refused], [refused], says("d")] })
    await talk("1", "2", "3", "4")
    expect((await stage.transcript()).at(-1)).toBe("agent: d[notice]")
    expect(last()).toContain('"a"')
    expect((await stage.rows()).archives.size).toBe(0)
    expect((await stage.rows()).status.get("status")).toMatchObject({ state: "idle", busyWith: null })
  })
})
