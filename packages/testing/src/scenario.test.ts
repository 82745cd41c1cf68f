import { defineAgent, defineTool } from "@parlor/agent"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { fails, gate, says, scenario } from "./index.ts"

let runs = 0
const brew = defineTool({
  name: "brew",
  description: "Brews a cup.",
  input: z.object({ drink: z.string() }),
  run: ({ drink }) => {
    runs += 1
    return { cup: drink }
  },
})
const barista = defineAgent({ name: "barista", tools: [brew] })
const critic = defineAgent({ name: "critic", memory: false, workspace: false })

describe("a scenario", () => {
  it("[TRN-6] runs an agent as a server does, and prints what was said", async () => {
    const talk = await scenario(barista, { model: [{ call: "brew", input: { drink: "tea" } }, "Here you are."] })
    await talk.send("A tea, please")
    expect(await talk.transcript()).toEqual([
      "person: A tea, please",
      'agent: [brew done: {"cup":"tea"}]',
      "agent: Here you are.",
    ])
    expect(talk.requests()[0]?.tools.map(({ name }) => name)).toContain("brew")
    await talk.close()
  })

  it("[GST-6] has guests with scripts of their own, and other conversations beside it", async () => {
    const talk = await scenario([barista, critic], { model: { barista: ["Tea!", "Cake?"], critic: ["Too hot."] } })
    await talk.send("tea")
    await talk.send("@critic how is it?")
    const cake = talk.with({ branch: "cake" })
    await talk.runtime.make({ agent: "barista", person: "ana", branch: "cake" }, talk.runtime.txid())
    await cake.send("cake")
    expect(await talk.transcript()).toEqual([
      "person: tea",
      "agent: Tea!",
      "person: @critic how is it?",
      "critic: Too hot.",
    ])
    expect(await cake.transcript()).toEqual(["person: cake", "agent: Cake?"])
    await talk.close()
  })

  it("[TRN-12] stops where the person is asked, and goes on with the answer", async () => {
    const careful = defineAgent({
      name: "careful",
      handler: async (ctx) => {
        const answer = await ctx.ask("Which cup?")
        await ctx.reply(`The ${String(answer)} one.`)
      },
    })
    const talk = await scenario(careful)
    await talk.send("pour")
    expect((await talk.asks())[0]?.title).toBe("Which cup?")
    await talk.answer("blue")
    expect((await talk.transcript()).at(-1)).toBe("agent: The blue one.")
    await talk.close()
  })

  it("[TRN-7] survives a crash: the tool that ran is not run again", async () => {
    runs = 0
    const wait = gate()
    const talk = await scenario(barista, {
      model: [{ call: "brew", input: { drink: "tea" } }, [wait, ...says("lost")], says("Served.")],
    })
    await talk.send("tea", { wait: false })
    while (talk.requests().length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      await talk.clock.advance(1)
    }
    await talk.crash()
    wait.open()
    expect((await talk.transcript()).at(-1)).toBe("agent: Served.")
    expect(runs).toBe(1)
    await talk.close()
  })

  it("[TRN-10] moves the clock by itself where an agent waits for time to pass", async () => {
    const talk = await scenario(barista, { model: [fails("busy", { passing: true }), "Now."] })
    await talk.send("tea")
    expect((await talk.transcript()).at(-1)).toBe("agent: Now.")
    await talk.close()
  })
})
