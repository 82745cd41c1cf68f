/** The runner on a real disk and in a real sandbox: it writes a program, runs it, and a rollback takes it all back. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openFiles } from "@parlor/files"
import { openSandbox } from "@parlor/sandbox"
import { scenario } from "@parlor/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import agents from "./parlor.config.ts"

const sandbox = openSandbox({ kind: "bubblewrap" })
const unavailable = await sandbox.unavailable()
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlor-runner-"))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const address = { agent: "runner", person: "ana", branch: "main" } as const

describe.skipIf(unavailable !== undefined)(`the runner${unavailable === undefined ? "" : ` (${unavailable})`}`, () => {
  it("[SBX-3, COD-4] writes, runs once a person allows it, reports; a rollback restores every file", async () => {
    const talk = await scenario(agents, {
      files: openFiles({ root }),
      sandbox,
      model: [
        {
          call: "write_file",
          input: { path: "primes.sh", content: "for n in 2 3 5 7; do echo $n; done > primes.txt" },
        },
        { call: "run", input: { command: "sh primes.sh && wc -l < primes.txt && rm primes.sh" } },
        { call: "new_report", input: { title: "Primes" } },
        "Four primes.",
      ],
    })
    await talk.send("Find some primes")
    expect((await talk.asks())[0]).toMatchObject({ kind: "approval", title: "Allow runner to use run?" })
    await talk.answer(true)
    const rows = await talk.rows()
    const tools = [...rows.messages.values()].flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
    expect(tools.find(({ name }) => name === "run")).toMatchObject({
      state: "done",
      output: { exit: 0, output: "4\n", changedFiles: 2 },
    })
    expect([...rows.files.keys()].sort()).toEqual(["primes.txt", "report.md"])
    expect(rows.files.get("report.md")?.by).toBe("agent:runner")

    const first = [...rows.messages.values()].find(({ role }) => role === "person")
    await talk.runtime.rollBack(address, {
      to: first?.id ?? "",
      scope: "both",
      edit: false,
      txid: talk.runtime.txid(),
    })
    await talk.settled()
    expect([...(await talk.rows()).files.keys()]).toEqual([])
    await talk.close()
  })

  it("[SBX-1] a person who says no stops the command, and nothing ran", async () => {
    const talk = await scenario(agents, {
      files: openFiles({ root: join(root, "no") }),
      sandbox,
      model: [{ call: "run", input: { command: "echo ran > ran.txt" } }, "All right."],
    })
    await talk.send("Run it")
    await talk.answer(false)
    expect(await talk.transcript()).toEqual([
      "person: Run it",
      'agent: [run failed: "tool.refused"]',
      "agent: All right.",
    ])
    expect((await talk.rows()).files.size).toBe(0)
    await talk.close()
  })
})

describe("a server that cannot isolate commands", () => {
  it.each([
    ["has no sandbox", undefined, "Commands cannot run on this server."],
    ["turned it off", openSandbox({ kind: "off" }), "turned off on this server"],
  ])("[SBX-1] one that %s refuses them, with the reason", async (_, none, words) => {
    const talk = await scenario(agents, {
      ...(none === undefined ? {} : { sandbox: none }),
      model: [{ call: "run", input: { command: "echo hi" } }, "I cannot."],
    })
    await talk.send("Run it")
    await talk.answer(true)
    const parts = (await talk.messages()).flatMap((message) => message.parts)
    const tool = parts.find((part) => part.type === "tool")
    expect(tool).toMatchObject({ state: "failed", error: { detail: expect.stringContaining(words) } })
    await talk.close()
  })
})
