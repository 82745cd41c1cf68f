/** A hosted agent's turn in the log: what its harness reports, and what becomes of it (HST-1 to HST-10). */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HarnessFault, type HarnessPrompt } from "@parlor/core"
import { gate, type HarnessScript, ScriptedHarness } from "@parlor/core/testing"
import { openFiles } from "@parlor/files"
import type { MessageRow, Rows } from "@parlor/protocol"
import { afterEach, describe, expect, it } from "vitest"
import { address, openStage, type Stage, txid } from "./stage.ts"

const open: Stage[] = []
const folders: string[] = []

afterEach(async () => {
  for (const stage of open.splice(0)) await stage.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function hosted(
  harness: ScriptedHarness,
  options: { readonly folder?: string; readonly workspace?: string } = {},
): Promise<Stage> {
  const root = options.folder ?? newFolder()
  const stage = await openStage({
    folder: root,
    files: openFiles({ root: join(root, "files") }),
    agent: { harness, instructions: "", ...(options.workspace === undefined ? {} : { folder: options.workspace }) },
    settings: { retry: { tries: 5, baseMs: 1, maxMs: 2 }, leaseMs: 300, renewMs: 100, sweepMs: 50 },
  })
  open.push(stage)
  return stage
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parlor-hosted-"))
  folders.push(folder)
  return folder
}

const says =
  (text: string): HarnessScript =>
  ({ onEvent }) => {
    for (const word of text.match(/\S+\s*/g) ?? []) onEvent({ type: "text", text: word })
  }

const replies = (rows: Rows): MessageRow[] =>
  [...rows.messages.values()].filter(({ role }) => role === "agent").sort((a, b) => a.ord - b.ord)

const textOf = ({ parts }: MessageRow) => parts.map((part) => (part.type === "text" ? part.text : "")).join("")

describe("a hosted agent", () => {
  it("[HST-1, HST-10] answers in the log, and the next prompt continues its session", async () => {
    const harness = new ScriptedHarness(says("Hello there."), says("Again."))
    const stage = await hosted(harness)
    await stage.send("hi")
    await stage.idle()
    await stage.send("more")
    const rows = await stage.idle()
    expect(await stage.transcript()).toEqual(["person: hi", "agent: Hello there.", "person: more", "agent: Again."])
    expect(harness.prompts.map(({ session, text }) => [session, text])).toEqual([
      [undefined, "hi"],
      ["ses_1", "more"],
    ])
    expect(rows.status.get("status")?.session).toBe("ses_1")
    expect([...rows.turns.values()].map(({ state }) => state)).toEqual(["done", "done"])
  })

  it("[HST-3] records its calls with input, output, diffs and places; text after them is a new message", async () => {
    const harness = new ScriptedHarness(({ onEvent }) => {
      onEvent({ type: "reasoning", text: "I look first." })
      onEvent({ type: "text", text: "Looking." })
      onEvent({
        type: "call",
        call: "c1",
        state: "started",
        name: "edit",
        title: "Edit a.ts",
        kind: "edit",
        input: { a: 1 },
      })
      onEvent({ type: "call", call: "c1", locations: [{ path: "a.ts", line: 3 }] })
      onEvent({
        type: "call",
        call: "c1",
        state: "done",
        output: "ok",
        diffs: [{ path: "a.ts", before: "one\n", after: "two\n" }],
      })
      onEvent({ type: "call", call: "c2", state: "failed", title: "Run", kind: "execute", output: "exit 1" })
      onEvent({ type: "text", text: "Done." })
      onEvent({ type: "plan", entries: [{ text: "look", state: "done" }] })
    })
    const stage = await hosted(harness)
    await stage.send("fix it")
    const rows = await stage.idle()
    const [first, second] = replies(rows)
    expect(first?.parts).toMatchObject([
      { type: "reasoning", text: "I look first." },
      { type: "text", text: "Looking." },
      {
        type: "tool",
        name: "edit",
        state: "done",
        input: { a: 1 },
        output: "ok",
        foreign: {
          title: "Edit a.ts",
          kind: "edit",
          locations: [{ path: "a.ts", line: 3 }],
          diffs: [{ path: "a.ts", diff: expect.stringContaining("-one\n+two") }],
        },
      },
      { type: "tool", state: "failed", error: { code: "tool.failed", detail: "exit 1" } },
    ])
    expect(second?.parts).toMatchObject([
      { type: "text", text: "Done." },
      { type: "tool", name: "plan", output: [{ text: "look", state: "done" }] },
    ])
    expect([...rows.turns.values()][0]?.steps).toBe(2)
  })

  it("[HST-3] a call is in the log before the text that follows it", async () => {
    const going = gate()
    const harness = new ScriptedHarness(async ({ onEvent }) => {
      onEvent({ type: "call", call: "c1", state: "started", title: "Long" })
      onEvent({ type: "text", text: "Meanwhile." })
      await going.opened
      onEvent({ type: "call", call: "c1", state: "done" })
    })
    const stage = await hosted(harness)
    await stage.send("go")
    await stage.until((rows) => [...rows.deltas.values()].some(({ text }) => text === "Meanwhile."))
    const log = await stage.log()
    const row = log.findIndex((one) => one.type === "messages" && one.value.parts.some((part) => part.type === "tool"))
    const delta = log.findIndex((one) => one.type === "deltas")
    expect(row).toBeGreaterThan(-1)
    expect(row).toBeLessThan(delta)
    going.open()
    await stage.idle()
  })

  it("[HST-4] a permission request is an ask; its answer decides, and a third option is possible", async () => {
    const answers: (string | undefined)[] = []
    const harness = new ScriptedHarness(async ({ ask, onEvent }) => {
      const options = [
        { id: "o1", name: "Allow", means: "allow" },
        { id: "o2", name: "Always allow", means: "allow-always" },
        { id: "o3", name: "Deny", means: "deny" },
      ] as const
      for (const title of ["rm a", "rm b", "rm c"]) {
        onEvent({ type: "call", call: "c", state: "waiting", title })
        answers.push(await ask({ call: "c", title, detail: title, options }))
      }
    })
    const stage = await hosted(harness)
    await stage.send("clean up")
    for (const answer of [true, false, "Always allow"]) {
      const rows = await stage.until((now) => [...now.asks.values()].some(({ state }) => state === "open"))
      const asked = [...rows.asks.values()].find(({ state }) => state === "open")
      expect(asked).toMatchObject({ kind: "approval", options: ["Always allow"] })
      expect(rows.status.get("status")?.state).toBe("waiting")
      await expect(stage.runtime.answer(address, asked?.id, "Nonsense", { by: "ana", txid })).rejects.toMatchObject({
        code: "ask.invalid",
      })
      await stage.runtime.answer(address, asked?.id, answer, { by: "ana", txid })
      await stage.until((now) => now.asks.get(asked?.id ?? "")?.state === "answered")
    }
    await stage.idle()
    expect(answers).toEqual(["o1", "o3", "o2"])
  })

  it("[HST-5] a stop keeps what was said and withdraws what was asked", async () => {
    let isAborted = false
    const harness = new ScriptedHarness(async ({ onEvent, signal, ask }) => {
      onEvent({ type: "text", text: "Half of it" })
      onEvent({ type: "call", call: "c", state: "started", title: "Run" })
      signal.addEventListener("abort", () => (isAborted = true))
      await ask({ call: "c", title: "Run", detail: "", options: [{ id: "o", name: "Allow", means: "allow" }] })
    })
    const stage = await hosted(harness)
    await stage.send("go")
    await stage.until((rows) => rows.status.get("status")?.state === "waiting")
    await stage.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
    const rows = await stage.rows()
    expect(isAborted).toBe(true)
    expect(replies(rows)).toMatchObject([
      { state: "truncated", parts: [{ text: "Half of it" }, { type: "tool", state: "unknown" }] },
    ])
    expect([...rows.asks.values()].map(({ state }) => state)).toEqual(["withdrawn"])
    expect([...rows.turns.values()][0]?.state).toBe("stopped")
  })

  it("[HST-6] messages queue while it works; one that steers joins after a call, a second one too", async () => {
    const begun = [gate(), gate()]
    const go = [gate(), gate()]
    const step =
      (n: number): HarnessScript =>
      async ({ onEvent, yieldTo }) => {
        onEvent({ type: "call", call: `c${n}`, state: "started", title: "Work" })
        begun[n]?.open()
        await go[n]?.opened
        onEvent({ type: "call", call: `c${n}`, state: "done" })
        await new Promise<void>((resolve) => {
          if (yieldTo.aborted) resolve()
          yieldTo.addEventListener("abort", () => resolve())
        })
      }
    const harness = new ScriptedHarness(step(0), step(1), says("All three."), says("The queued one."))
    const stage = await hosted(harness)
    await stage.send("one")
    await begun[0]?.opened
    await stage.send("queued")
    await stage.send("two", { mode: "steer" })
    go[0]?.open()
    await begun[1]?.opened
    await stage.send("three", { mode: "steer" })
    go[1]?.open()
    const rows = await stage.idle()
    expect(harness.prompts.map(({ text }) => text)).toEqual(["one", "two", "three", "queued"])
    expect(rows.turns.size).toBe(2)
    expect(new Set(harness.prompts.slice(1).map(({ session }) => session))).toEqual(new Set(["ses_1"]))
  })

  it("[HST-7] an agent that ends in the middle is started again and continues its session", async () => {
    const harness = new ScriptedHarness(({ onEvent }) => {
      onEvent({ type: "text", text: "First half." })
      onEvent({ type: "call", call: "c", state: "started", title: "Run" })
      throw new HarnessFault("ended", "The agent's process ended (SIGKILL).")
    }, says("Second half."))
    const stage = await hosted(harness)
    await stage.send("go")
    const rows = await stage.idle()
    expect(replies(rows)).toMatchObject([
      { state: "truncated", parts: [{ text: "First half." }, { state: "unknown" }] },
      { state: "done", parts: [{ text: "Second half." }] },
    ])
    expect(harness.prompts.map(({ session, isContinued }) => [session, isContinued])).toEqual([
      [undefined, false],
      ["ses_1", true],
    ])
    const states = (await stage.log()).flatMap((one) => (one.type === "status" ? [one.value.state] : []))
    expect(states).toContain("retrying")
  })

  it("[HST-7] if its session cannot be resumed, the turn says that it was interrupted; the next one starts over", async () => {
    const harness = new ScriptedHarness(({ onEvent }) => {
      onEvent({ type: "text", text: "First half." })
      harness.sessions.clear()
      throw new HarnessFault("ended", "The agent's process ended (SIGKILL).")
    }, says("From here."))
    const stage = await hosted(harness)
    await stage.send("go")
    const failed = await stage.until((rows) => rows.status.get("status")?.state === "error")
    expect([...failed.turns.values()][0]).toMatchObject({ state: "failed", error: { code: "harness.interrupted" } })
    expect(replies(failed)).toMatchObject([{ state: "truncated", parts: [{ text: "First half." }] }])
    await stage.send("continue")
    await stage.until((rows) => replies(rows).some((row) => textOf(row) === "From here."))
    const last = harness.prompts.at(-1)
    expect(last).toMatchObject({ session: undefined, isContinued: false, text: "continue" })
    expect(last?.background()).toContain("First half.")
  })

  it("[HST-7] an agent that does not start fails the turn after some attempts, with the reason", async () => {
    const fails: HarnessScript = () => {
      throw new HarnessFault("start", "The program coder was not found.")
    }
    const harness = new ScriptedHarness(fails, fails, fails, fails, says("never"))
    const stage = await hosted(harness)
    await stage.send("go")
    const rows = await stage.until((now) => now.status.get("status")?.state === "error")
    expect([...rows.turns.values()][0]?.error).toEqual({
      code: "harness.start",
      detail: "The program coder was not found.",
    })
    expect(harness.prompts).toHaveLength(4)
  })

  it("[HST-8] a server that dies in the middle of a turn: the next one resumes the session", async () => {
    const folder = newFolder()
    const stuck: HarnessScript = async ({ onEvent, ask }) => {
      onEvent({ type: "text", text: "First half." })
      await ask({ call: "c", title: "Run", detail: "", options: [{ id: "o", name: "Allow", means: "allow" }] })
    }
    const first = new ScriptedHarness(stuck)
    const before = await hosted(first, { folder })
    await before.send("go")
    await before.until((rows) => rows.status.get("status")?.state === "waiting")
    await before.close()
    open.splice(0)
    const second = new ScriptedHarness(says("Second half."))
    second.sessions.add("ses_1")
    const after = await hosted(second, { folder })
    const rows = await after.idle()
    expect(second.prompts).toMatchObject([{ session: "ses_1", isContinued: true, text: "go" }])
    expect(replies(rows)).toMatchObject([
      { state: "truncated", parts: [{ text: "First half." }] },
      { state: "done", parts: [{ text: "Second half." }] },
    ])
    expect([...rows.asks.values()].map(({ state }) => state)).toEqual(["withdrawn"])
    expect([...rows.turns.values()][0]?.state).toBe("done")
  })

  it("[HST-9] files it writes, changes and deletes on disk are changes of its turn; a rollback restores them", async () => {
    const work =
      (edit: (folder: string) => void): HarnessScript =>
      ({ folder, onEvent }) => {
        edit(folder)
        onEvent({ type: "text", text: `Edited ${harness.prompts.length}.` })
      }
    const harness = new ScriptedHarness(
      work((folder) => {
        writeFileSync(join(folder, "a.txt"), "one")
        writeFileSync(join(folder, "b.txt"), "bee")
      }),
      work((folder) => {
        writeFileSync(join(folder, "a.txt"), "two")
        unlinkSync(join(folder, "b.txt"))
      }),
    )
    const stage = await hosted(harness)
    await stage.send("write")
    await stage.idle()
    await stage.send("change")
    const rows = await stage.idle()
    expect([...rows.changes.values()].map(({ path, by, turn }) => [path, by, turn !== null])).toEqual([
      ["a.txt", "agent:crab", true],
      ["b.txt", "agent:crab", true],
      ["a.txt", "agent:crab", true],
      ["b.txt", "agent:crab", true],
    ])
    expect([...rows.files.keys()]).toEqual(["a.txt"])
    const second = [...rows.messages.values()].filter(({ role }) => role === "person").at(-1)
    await stage.runtime.rollBack(address, { to: second?.id ?? "", scope: "both", txid: stage.runtime.txid() } as never)
    const folder = harness.prompts[0]?.folder ?? ""
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one")
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("bee")
    harness.add(says("I see."))
    await stage.send("what now?")
    await stage.until((now) => replies(now).some((row) => textOf(row) === "I see."))
    const last = harness.prompts.at(-1) as HarnessPrompt
    expect(last.session).toBeUndefined()
    expect(last.background()).toContain("Edited 1.")
    expect(last.background()).not.toContain("Edited 2.")
  })

  it("[HST-9] a file that was rewritten with the same size and time is a change all the same", async () => {
    const rewrite =
      (text: string): HarnessScript =>
      async ({ folder, onEvent }) => {
        const path = join(folder, "a.txt")
        const { atime, mtime } = existsSync(path) ? statSync(path) : { atime: 1, mtime: 1 }
        writeFileSync(path, text)
        utimesSync(path, atime, mtime)
        onEvent({ type: "text", text: "Done." })
      }
    const harness = new ScriptedHarness(rewrite("one"), rewrite("two"), rewrite("six"))
    const workspace = newFolder()
    writeFileSync(join(workspace, "a.txt"), "old")
    for (const [index, stage] of [await hosted(harness), await hosted(harness, { workspace })].entries()) {
      if (index === 1) for (const text of ["one", "two", "six"]) harness.add(rewrite(text))
      for (const text of ["1", "2", "3"]) {
        await stage.send(text)
        await stage.idle()
      }
      const { changes, messages } = await stage.rows()
      expect([...changes.values()].filter(({ by }) => by === "agent:crab")).toHaveLength(3)
      const person = [...messages.values()].filter(({ role }) => role === "person").sort((a, b) => a.ord - b.ord)
      const back = (to: string) =>
        stage.runtime.rollBack(address, { to, scope: "both", txid: stage.runtime.txid() } as never)
      const { folder = "" } = harness.prompts.at(-1) ?? {}
      await back(person[2]?.id ?? "")
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("two")
      await back(person[0]?.id ?? "")
      expect(existsSync(join(folder, "a.txt")) ? readFileSync(join(folder, "a.txt"), "utf8") : "").toBe(
        index === 0 ? "" : "old",
      )
    }
  })

  it("[HST-21] works in a folder of the operator's; what only it needs is elsewhere, and untouched files stay", async () => {
    const workspace = newFolder()
    mkdirSync(join(workspace, "src"))
    for (const name of ["src/a.ts", "src/b.ts", "c.md"]) writeFileSync(join(workspace, name), `old ${name}`)
    const before = statSync(join(workspace, "c.md"))
    const harness = new ScriptedHarness(async ({ folder, home, workspace: files, onEvent }) => {
      expect(folder).toBe(workspace)
      expect(home.startsWith(workspace)).toBe(false)
      writeFileSync(join(folder, "src/a.ts"), "new a")
      unlinkSync(join(folder, "src/b.ts"))
      writeFileSync(join(folder, "src/n.ts"), "new n")
      await files.writeText("src/m.ts", "new m")
      onEvent({ type: "text", text: await files.readText("c.md") })
    })
    const stage = await hosted(harness, { workspace })
    await stage.send("work")
    const rows = await stage.idle()
    expect(replies(rows).map(textOf)).toEqual(["old c.md"])
    const paths = ["src/a.ts", "src/b.ts", "src/m.ts", "src/n.ts"]
    expect([...new Set([...rows.changes.values()].map(({ path }) => path))].sort()).toEqual(paths)
    expect(readdirSync(workspace).sort()).toEqual(["c.md", "src"])
    const first = [...rows.messages.values()].find(({ role }) => role === "person")
    await stage.runtime.rollBack(address, { to: first?.id ?? "", scope: "both", txid: stage.runtime.txid() } as never)
    expect(readdirSync(join(workspace, "src")).sort()).toEqual(["a.ts", "b.ts"])
    for (const name of ["src/a.ts", "src/b.ts"]) expect(readFileSync(join(workspace, name), "utf8")).toBe(`old ${name}`)
    expect(statSync(join(workspace, "c.md"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
  })

  it("[HST-11] the commands it offers are in the picker, and replace those it offered before", async () => {
    const offer =
      (...names: string[]): HarnessScript =>
      ({ onEvent }) => {
        onEvent({ type: "commands", commands: names.map((name) => ({ name, description: "", hint: null })) })
        onEvent({ type: "text", text: "ok" })
      }
    const stage = await hosted(new ScriptedHarness(offer("init", "review", "Not A Name"), offer("review")))
    await stage.send("hi")
    expect([...(await stage.idle()).slashCommands.keys()].sort()).toEqual(["init", "review"])
    await stage.send("again")
    expect([...(await stage.idle()).slashCommands.keys()]).toEqual(["review"])
  })

  it("[HST-17] one that never stops talking is stopped, and the turn says why", async () => {
    const endless: HarnessScript = async ({ onEvent, signal }) => {
      while (!signal.aborted) {
        onEvent({ type: "text", text: "and so on ".repeat(2_000) })
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const stage = await hosted(new ScriptedHarness(endless))
    await stage.send("talk")
    const rows = await stage.until((now) => now.status.get("status")?.state === "error")
    expect([...rows.turns.values()][0]?.error?.code).toBe("harness.too-much")
    expect(replies(rows)[0]?.state).toBe("failed")
  })

  it("[HST-18] cannot be a guest, and is not compacted", async () => {
    const stage = await hosted(new ScriptedHarness(says("ok")))
    await stage.send("hi")
    await stage.idle()
    await expect(stage.runtime.compact(address, { keepTurns: undefined, txid })).rejects.toMatchObject({
      code: "agent.hosted",
    })
    await expect(stage.send("hi", { guests: ["crab"] })).rejects.toMatchObject({ code: "agent.hosted" })
  })
})
