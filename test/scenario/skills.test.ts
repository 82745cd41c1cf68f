import { type Append, baseCommands, type Handler, type Skill, skillsLoader } from "@parlor/core"
import { calls, finish, gate, MemoryStore, says } from "@parlor/core/testing"
import type { MessageRow, Rows } from "@parlor/protocol"
import { systemClock } from "@parlor/server"
import { afterEach, describe, expect, it } from "vitest"
import { skillIndex, skillTool } from "../../packages/core/src/skill/skills.ts"
import { commandChanges, synced } from "../../packages/core/src/slash-command/command.ts"
import { address, openStage, type Stage, type StageOptions, txid } from "./stage.ts"
import { typed } from "./typed.ts"

let stage: Stage
afterEach(() => stage.close())

const skill = (name: string, files: Skill["files"] = {}): Skill => ({
  name,
  description: `What ${name} is about.`,
  body: `The whole of ${name}.`,
  files,
})
const skills = [skill("deploy", { "checklist.md": "1. Breathe." }), skill("review")]

function type(source: string, mode: "immediate" | "steer" = "immediate") {
  return stage.runtime.send(address, { type: "composer_input", payload: typed(source), mode, source: "test", txid })
}

const contexts = (rows: Rows) =>
  [...rows.messages.values()].map(({ parts }: MessageRow) =>
    parts.flatMap((part) => (part.type === "context" ? [`${part.kind} ${part.title}`] : [])),
  )

describe.each<[string, Handler | undefined]>([
  ["the standard turn", undefined],
  ["a handler that runs the standard turn", (ctx) => ctx.run()],
  [
    "a handler that calls skillsLoader",
    async (ctx) => {
      await skillsLoader(ctx)
      await skillsLoader(ctx)
      await ctx.run()
    },
  ],
])("skills in %s", (_, handler) => {
  const open = async (options: StageOptions = {}) => {
    const agent = { ...options.agent, skills, ...(handler === undefined ? {} : { handler }) }
    stage = await openStage({ ...options, agent })
  }

  it("[CMP-11] are commands, have one line each in the instructions, and can be read", async () => {
    const scripts = [
      calls("skill_read", { name: "deploy" }, "a"),
      calls("skill_read", { name: "deploy", path: "checklist.md" }, "b"),
      calls("skill_read", { name: "deploy", path: "../../secrets" }, "c"),
      calls("skill_read", { name: "toString" }, "d"),
      says("I know now."),
    ]
    await open({ scripts })
    expect((await stage.runtime.snapshot(address, { messages: 1 })).slashCommands.map(({ name }) => name)).toEqual([
      "deploy",
      "review",
    ])
    await stage.send("How do we deploy?")
    const rows = await stage.idle()
    expect([...rows.slashCommands.values()]).toEqual(
      skills.map(({ name, description }) => ({
        name,
        description,
        arguments: [],
        argumentHint: null,
        owner: "skills",
      })),
    )
    const instructions = stage.model.requests[0]?.instructions ?? ""
    expect(instructions.split("\n").filter((line) => line.startsWith("- "))).toEqual([
      "- deploy: What deploy is about.",
      "- review: What review is about.",
    ])
    expect(await stage.transcript()).toEqual([
      "person: How do we deploy?",
      'agent: [skill_read done: {"name":"deploy","body":"The whole of deploy.","files":["checklist.md"]}]',
      'agent: [skill_read done: {"name":"deploy","path":"checklist.md","content":"1. Breathe."}]',
      'agent: [skill_read failed: "tool.failed"]',
      'agent: [skill_read failed: "tool.failed"]',
      "agent: I know now.",
    ])
  })

  it("[CMP-11] every command of a message brings its content, each once; the others are left to the model", async () => {
    await open({ scripts: [says("Both, then.")] })
    await type("/review this /unknown then /deploy it and /review again")
    const rows = await stage.idle()
    expect(contexts(rows)).toEqual([["skill review", "skill deploy"], []])
    const shown = JSON.stringify(stage.model.requests[0]?.messages)
    expect(shown).toContain("The whole of review.")
    expect(shown).toContain("The whole of deploy.")
    expect(shown).toContain("/unknown")
  })

  it("[CMP-11] a message that steers a running turn brings its content too", async () => {
    const held = gate()
    await open({ scripts: [[{ type: "text", text: "Well" }, held, finish()], says("Now with review.")] })
    await stage.send("Begin")
    await stage.until((rows) => rows.deltas.size > 0)
    await type("/review it", "steer")
    held.open()
    const rows = await stage.idle()
    expect(contexts(rows)).toEqual([[], [], ["skill review"], []])
    expect(JSON.stringify(stage.model.requests[1]?.messages)).toContain("The whole of review.")
  })

  it("[CMP-11] cost a turn in which nothing changes no write: it has as many as one without skills", async () => {
    const commits = async (agent: StageOptions["agent"]) => {
      const batches: Append[][] = []
      const store = new MemoryStore(systemClock, { beforeCommit: (batch) => void batches.push([...batch]) })
      stage = await openStage({ store, fallback: says("Yes."), ...(agent === undefined ? {} : { agent }) })
      await stage.send("One")
      await stage.idle()
      batches.length = 0
      await stage.send("Two")
      await stage.idle()
      await stage.runtime.close()
      return batches.flat().flatMap(({ changes }) => changes.map(({ collection }) => collection))
    }
    const plain = await commits(handler === undefined ? {} : { handler: (ctx) => ctx.run() })
    const written = await commits({ skills, ...(handler === undefined ? {} : { handler }) })
    expect(written.filter((collection) => collection !== "deltas")).toEqual(
      plain.filter((collection) => collection !== "deltas"),
    )
    expect(written).not.toContain("slashCommands")
    await open()
  })
})

describe("skillsLoader", () => {
  it("[CMP-11] takes further skills under an owner of their own, beside the agent's", async () => {
    const more = [skill("release"), skill("review")]
    const handler: Handler = async (ctx) => {
      await skillsLoader(ctx, { skills: more })
      await ctx.run()
    }
    stage = await openStage({ agent: { skills, handler }, fallback: says("Yes.") })
    await type("/release and /deploy")
    const rows = await stage.idle()
    expect(Object.fromEntries([...rows.slashCommands.values()].map(({ name, owner }) => [name, owner]))).toEqual({
      deploy: "skills",
      review: "more-skills",
      release: "more-skills",
    })
    expect(contexts(rows)[0]).toEqual(["skill release", "skill deploy"])
    const before = (await stage.log()).filter((change) => change.type === "slashCommands").length
    await stage.send("Again")
    await stage.idle()
    expect((await stage.log()).filter((change) => change.type === "slashCommands")).toHaveLength(before)
  })

  it("[CMP-8] leaves a name to the dynamic command that has it", async () => {
    const handler: Handler = async (ctx) => {
      await ctx.slashCommands.register({ name: "deploy", description: "Mine.", owner: "me" })
      await skillsLoader(ctx)
    }
    stage = await openStage({ agent: { skills, handler } })
    for (const text of ["One", "Two"]) {
      await stage.send(text)
      const rows = await stage.idle()
      expect(rows.slashCommands.get("deploy")).toMatchObject({ owner: "me", description: "Mine." })
    }
    expect((await stage.log()).filter(({ type, key }) => type === "slashCommands" && key === "deploy")).toHaveLength(2)
  })

  it("[CMP-11] fifty skills cost a turn less than a millisecond", async () => {
    const many = Array.from({ length: 50 }, (_, n) => skill(`skill-${n}`))
    const agent = { slashCommands: [], skills: many }
    const rows = new Map([...baseCommands(agent)].map(([name, row]) => [name, JSON.parse(JSON.stringify(row))]))
    const text = [...rows.values()].map((row) => JSON.stringify(row))
    const turn = () => {
      const read = new Map(text.map((value) => JSON.parse(value)).map((row) => [row.name as string, row]))
      const changes = commandChanges(read, synced(read, baseCommands(agent)))
      return changes.length + skillIndex(many).length + skillTool(many).name.length
    }
    for (let n = 0; n < 200; n++) turn()
    const times = Array.from({ length: 51 }, () => {
      const from = performance.now()
      turn()
      return performance.now() - from
    })
    expect(times.sort((a, b) => a - b)[25]).toBeLessThan(1)
    expect(commandChanges(rows, synced(rows, baseCommands(agent)))).toEqual([])
  })
})
