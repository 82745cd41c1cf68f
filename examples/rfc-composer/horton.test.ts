import { scenario } from "@parlor/testing"
import { expect, test } from "vitest"
import agents from "./parlor.config.ts"

const quickstart = {
  source: "/quickstart",
  nodes: [{ kind: "slash_command", start: 0, end: 11, raw: "/quickstart", name: "quickstart" }],
}
const review = {
  source: "/pr-review 123 in /worktree see @Branch",
  nodes: [
    { kind: "slash_command", start: 0, end: 10, raw: "/pr-review", name: "pr-review" },
    { kind: "text", start: 10, end: 18, raw: " 123 in " },
    { kind: "slash_command", start: 18, end: 27, raw: "/worktree", name: "worktree" },
    { kind: "text", start: 27, end: 32, raw: " see " },
    { kind: "branch", start: 32, end: 39, raw: "@Branch", name: "Branch" },
  ],
}
/** As the RFC prints it: a text of 18 characters that says 27 to 46. */
const long = {
  source: "/pr-review 123 in /worktree be sure to check @Branch see @Horton",
  nodes: [
    ...review.nodes.slice(0, 3),
    { kind: "text", start: 27, end: 46, raw: " be sure to check " },
    { kind: "branch", start: 46, end: 53, raw: "@Branch", name: "Branch" },
    { kind: "text", start: 53, end: 58, raw: " see " },
    { kind: "symbol", start: 58, end: 65, raw: "@Horton", name: "Horton" },
  ],
}
const input = (payload: typeof quickstart | typeof review) => ({ type: "composer_input", payload })

test("[CMP-2, CMP-22] /quickstart is a skill: an instruction, marked where it stood", async () => {
  const talk = await scenario(agents, { model: ["Welcome."] })
  expect((await talk.slashCommands()).length).toBe(0)
  await talk.send(input(quickstart))
  const [request] = talk.requests()
  expect(JSON.stringify(request?.messages)).toContain("[skill quickstart]")
  expect(JSON.stringify(request?.messages)).toContain('<skill name=\\"quickstart\\">')
  expect(request?.instructions).toContain("<skill>: instructions that the author of this agent wrote")
  await talk.close()
})

test("[CMP-3, CMP-8] two commands and a branch are delivered; a command registered then survives a crash, and so does its removal", async () => {
  const talk = await scenario(agents, { model: ["Reviewed.", "Gone."] })
  const names = async () => (await talk.slashCommands()).map(({ name }) => name).sort()
  await talk.send(input(review))
  expect(await names()).toEqual(["compare", "memory", "order", "pr-review", "quickstart", "worktree"])
  await talk.crash()
  await talk.send("/worktree alone")
  expect(await names()).toEqual(["memory", "order", "pr-review", "quickstart", "worktree"])
  await talk.crash()
  expect(await names()).not.toContain("compare")
  await talk.close()
})

test("[CMP-4] the long example of the RFC is refused: its fourth node is off by one", async () => {
  const talk = await scenario(agents)
  await expect(talk.send(input(long))).rejects.toMatchObject({
    code: "composer.span",
    pointer: "/payload/nodes/3",
    message: expect.stringContaining('" be sure to check " is at 27 to 45.'),
  })
  await talk.close()
})

test("[CMP-19] /order takes its argument, typed, and keeps the question", async () => {
  const talk = await scenario(agents, { model: ["On its way."] })
  await talk.send("/order A-7 what about it?")
  const [message] = await talk.messages()
  expect(message?.parts.find((part) => part.type === "context")).toMatchObject({
    title: "Order A-7",
    metadata: { order_id: "A-7", question: "what about it?" },
  })
  await talk.send({ type: "build_done", payload: { ok: true } })
  expect((await talk.transcript()).at(-1)).toBe("agent: The build is green.")
  await talk.close()
})
