import { execFile, execFileSync } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { BIN, startParlor, type TestParlor, until } from "./parlor.ts"

let parlor: TestParlor
let count = 0
let branch = ""
beforeAll(async () => {
  parlor = await startParlor()
})
afterAll(() => parlor.close())
beforeEach(async () => {
  count += 1
  branch = `c${count}`
  await conversation().make()
})

const ASKING = 'use ask_person {"question":"Red or blue?","options":["red","blue"]}'
const conversation = () => parlor.sdk.conversation("host", branch)

describe("parlor chat without a terminal", () => {
  const chat = (...lines: readonly string[]) =>
    parlor.run(["chat", "-b", branch], lines.map((line) => `${line}\n`).join(""))

  test("[QUE-1] reads lines, queues while it is busy, and ends when the conversation is idle", async () => {
    const { code, out, err } = await chat("count slowly to 8", "say again", "", "/queue", "/nothing", "//slash")
    expect(code).toBe(0)
    const counted = "1, 2, 3, 4, 5, 6, 7, 8."
    expect(out).toContain(`you\n  count slowly to 8\n\nhost\n  ${counted}\n\nyou\n  say again\n\nhost\n  again\n`)
    expect(out).toContain("you\n  /slash\n")
    expect(err).toContain("queued at position 1")
    expect(err).toContain("queued  person  say again")
    expect(err).toContain("Unknown command: /nothing.")
  })

  test("[QUE-7] edits, removes, sends now and stops by the same commands", async () => {
    const { code, out } = await chat(
      "count slowly to 500",
      "say one",
      "say two",
      "say three",
      "/edit 1 say uno",
      "/remove 2",
      "/now 2",
    )
    expect(code).toBe(0)
    const said = out.split("\n").filter((line) => line.startsWith("  "))
    expect(said.filter((line) => !/^ {2}[\d, ]*$/.test(line))).toEqual([
      "  count slowly to 500",
      "  say three",
      "  three",
      "  say uno",
      "  uno",
    ])
    expect(out).toContain("· stopped")
  })

  test("[TRN-12] an ask is shown with how to answer, and a number answers it", async () => {
    const first = await chat(ASKING)
    expect(first.err).toContain("? Red or blue?")
    expect(first.err).toContain("answer: a number from 1 to 2")
    expect(first.err).toContain("A question is still open")
    const second = await chat("2")
    expect(second.out).toContain("blue")
    expect(second.code).toBe(0)
  })

  test("an unknown agent is refused", async () => {
    expect(await parlor.run(["chat", "nobody"], "hi\n")).toMatchObject({ code: 5 })
  })
})

const hasTmux = (() => {
  try {
    execFileSync("tmux", ["-V"])
    return true
  } catch {
    return false
  }
})()

// A pseudo terminal with a screen needs tmux; without it these tests are skipped.
describe.skipIf(!hasTmux)("parlor chat in a terminal", () => {
  let session = 0
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const socket = join(parlor.folder, `tmux${session}`)
    const env = { ...parlor.env, TERM: "xterm-256color" }
    return (await promisify(execFile)("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env })).stdout
  }
  const screen = async () => (await tmux("capture-pane", "-p")).trimEnd()
  const shows = (...texts: readonly string[]) => until(screen, (seen) => texts.every((text) => seen.includes(text)))
  const type = (text: string) => tmux("send-keys", "-l", text)
  const key = (...names: readonly string[]) => tmux("send-keys", ...names)
  const enter = async (text: string) => {
    await type(text)
    await key("Enter")
  }
  const open = async (...args: readonly string[]) => {
    session += 1
    const command = [process.execPath, BIN, "chat", "-b", branch, ...args].join(" ")
    await tmux("new-session", "-d", "-x", "70", "-y", "24", `${command}; echo left $?; sleep 60`)
    await shows("ready", "\n>")
  }
  /** A conversation whose agent replies for as long as the test needs. */
  const openBusy = async () => {
    await open()
    await enter("count slowly to 500")
    await shows("replying", "1, 2, 3,")
  }
  afterEach(async () => {
    await tmux("kill-server").catch(() => undefined)
  })

  test("[QUE-1] typing works while a reply streams; messages sent meanwhile are queued and shown", async () => {
    await openBusy()
    await enter("say one")
    await enter("say two")
    await type("half a li")
    const seen = await shows(" 1 say one", " 2 say two", "> half a li")
    expect(seen.split("\n").at(-1)).toBe("> half a li")
    const further = Number(/(\d+),\s*$/m.exec(seen)?.[1] ?? "0") + 4
    await shows(`${further},`, "> half a li")
    await type("ne")
    await shows("> half a line")
  })

  test("[QUE-8] /edit opens a message under a lease, Enter saves it; /now and /remove", async () => {
    await openBusy()
    for (const text of ["say one", "say two", "say three"]) await enter(text)
    await shows(" 3 say three")
    await enter("/edit 2")
    await shows("editing 2", "> say two", "(being edited)")
    await enter(" more")
    await shows(" 2 say two more", "replying")
    await enter("/remove 1")
    await until(screen, (seen) => !seen.includes("say one"))
    await enter("/now 2")
    await shows("· stopped", "  three\n", "  two more\n", "ready")
  })

  test("[TRN-4] Esc stops the turn and holds the queue, twice leaves", async () => {
    await openBusy()
    await enter("say next")
    await shows(" 1 say next")
    await key("Escape")
    await shows("· stopped", "queue paused (a turn was stopped)", " 1 say next")
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await enter("/resume")
    await shows("  next\n", "ready")
    await key("C-c")
    await shows("Press again to leave.")
    await key("C-c")
    await shows("left 0")
  })

  test("[TRN-12] a question is shown and a plain number answers it", async () => {
    await open()
    await enter(ASKING)
    await shows("? Red or blue?", "2. blue", "answer: a number from 1 to 2", "waiting for your answer")
    await enter("2")
    await shows("ask_person: done", "blue\n", "ready")
  })

  test("[CLI-5, CLI-6] Tab completes names, /help lists the agent's commands, markdown is rendered", async () => {
    await open()
    await type("/qu")
    await key("Tab")
    await shows("/queue  /quickstart  /quit", "> /qu")
    await type("e")
    await key("Tab")
    await shows("> /queue")
    await key("Enter")
    await shows("The queue is empty.")
    await type("@cri")
    await key("Tab")
    await shows("> @critic")
    await key("C-u")
    await enter("/help")
    await shows("Commands of the agent:", "/quickstart")
    await enter("say **loud** and `code`")
    await shows("  loud and code\n", "ready")
    expect(await tmux("capture-pane", "-p", "-e")).toContain("\u001b[1mloud")
  })

  test("[TRN-10] a retry is shown with its attempt and seconds; history is there on the next start", async () => {
    await open()
    await enter("say something to remember")
    await shows("  something to remember\n", "ready")
    await enter("fail twice")
    // The second attempt fails too; a slow machine may see only the wait after it.
    await until(screen, (seen) => /retrying in .*\(attempt [23]\)/.test(seen))
    await key("Escape")
    await shows("· stopped")
    await enter("/quit")
    await shows("left 0")
    await tmux("kill-server")
    await open("-n", "10")
    await shows("  something to remember\n")
  })
})
