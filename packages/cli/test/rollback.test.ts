/** `parlor branch`, `parlor sidecar` and `parlor rollback` as processes, on the demo model and a real disk. */
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
  for (const text of ["say one", "say two"]) await parlor.run(["send", text, "-b", branch])
})

const conversation = (name = branch) => parlor.sdk.conversation("host", name)
const run = (...args: readonly string[]) => parlor.run([...args, "-b", branch])
const shown = async (name = branch) =>
  (await conversation(name).open()).messages.map(({ parts, dimmed }) => {
    const text = parts.map((part) => ("text" in part ? part.text : part.type)).join("")
    return dimmed ? `(${text})` : text
  })

describe("parlor rollback", () => {
  test("[RBK-1] [RBK-4] lists messages, previews, rolls back, and cancels", async () => {
    const listed = await run("rollback")
    expect(listed.out.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^1 {2}msg_\S+ {2}you: say two$/),
      expect.stringMatching(/^2 {2}msg_\S+ {2}you: say one$/),
    ])
    await conversation().files.write("made.txt", "made later")
    const seen = await run("rollback", "preview", "2")
    expect(seen.out).toBe(
      "3 messages will be dimmed:\n  host: one\n  you: say two\n  host: two\nFiles:\n  will be deleted    made.txt\n",
    )
    expect(await run("rollback", "to", "2")).toMatchObject({ code: 2, err: expect.stringContaining("Pass --yes") })
    expect(await shown()).toEqual(["say one", "one", "say two", "two"])
    expect(await run("rollback", "to", "2", "--yes")).toMatchObject({
      code: 0,
      err: expect.stringContaining("Rolled back"),
    })
    expect(await shown()).toEqual(["say one", "(one)", "(say two)", "(two)"])
    expect(await conversation().files.list()).toEqual([])
    expect((await run("rollback")).err).toContain("Rolled back: messages and files (")
    expect(await run("rollback", "cancel")).toMatchObject({ code: 0, err: "Canceled. Everything is restored.\n" })
    expect(await shown()).toEqual(["say one", "one", "say two", "two"])
    expect((await conversation().files.list()).map(({ path }) => path)).toEqual(["made.txt"])
    expect(await run("rollback", "cancel")).toMatchObject({
      code: 2,
      err: expect.stringContaining("There is no rollback to cancel"),
    })
  })

  test("[RBK-3] prints the text of the message to edit", async () => {
    expect(await run("rollback", "to", "1", "--edit", "--yes")).toMatchObject({ code: 0, out: "say two\n" })
    expect(await shown()).toEqual(["say one", "one", "(say two)", "(two)"])
  })

  test("[RBK-1] reports errors", async () => {
    for (const [args, code, words] of [
      [["to", "9", "--yes"], 2, "There is no message number 9. There are 2."],
      [["to", "msg_none", "--yes"], 5, "There is no message msg_none here."],
      [["to", "1", "--scope", "all", "--yes"], 2, "--scope must be one of"],
      [["cancel", "rbk_none"], 5, "There is no rollback rbk_none here."],
    ] as const)
      expect(await run("rollback", ...args)).toMatchObject({ code, err: expect.stringContaining(words) })
  })
})

describe("parlor branch", () => {
  test("[BRA-1] [BRA-6] creates, lists and deletes branches", async () => {
    expect(await run("branch")).toMatchObject({ code: 0, out: "", err: "There are no branches.\n" })
    expect(await run("branch", "make", "3", "--name", `of-${branch}`)).toMatchObject({ code: 0, out: `of-${branch}\n` })
    expect(await shown(`of-${branch}`)).toEqual(["say one", "one"])
    const named = (await run("branch", "make")).out.trim()
    expect(named).toMatch(/^two/)
    const { out } = await run("branch")
    expect(out).toContain(`of-${branch}`)
    const parent = await parlor.run(["branch", "delete", branch])
    expect(parent).toMatchObject({ code: 5, err: expect.stringContaining(`of-${branch}`) })
    expect(await parlor.run(["branch", "delete", branch, "--with", `of-${branch}`, named])).toMatchObject({ code: 0 })
    await expect(conversation().open()).rejects.toMatchObject({ code: "conversation.unknown" })
  })

  test("[BRA-4] a sidecar answers here, and its answer is merged", async () => {
    const asked = await run("sidecar", "ask", "say", "aside", "--name", `side-${branch}`)
    expect(asked).toMatchObject({ code: 0, out: "aside\n" })
    expect((await run("sidecar")).out).toContain(`side-${branch}`)
    expect(await parlor.run(["sidecar", "merge", `side-${branch}`])).toMatchObject({ code: 0 })
    await until(
      () => shown(),
      (lines) => lines.at(-1) === "context",
    )
    expect(await parlor.run(["sidecar", "keep", `side-${branch}`])).toMatchObject({ code: 0 })
    expect((await run("sidecar")).err).toBe("There are no side chats.\n")
    expect(await parlor.run(["sidecar", "merge", `side-${branch}`])).toMatchObject({
      code: 5,
      err: expect.stringContaining("not a sidecar"),
    })
  })
})
