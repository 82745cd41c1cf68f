import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Agent, baseCommands, type Log } from "@parlor/core"
import { says, scriptedModel } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { z } from "zod"
import { defineAgent } from "../define-agent.ts"
import { findConfig } from "./config-file.ts"
import { type OpenedConfig, openConfig } from "./open-config.ts"
import { resolveAgents } from "./resolve-agents.ts"
import { readSkills } from "./skill-folder.ts"

let folder: string
let opened: OpenedConfig | undefined
const warnings: string[] = []
let onWarning = () => {}
const log: Log = {
  info() {},
  warn(line, fields) {
    warnings.push(`${line}: ${fields?.reason}`)
    onWarning()
  },
  error() {},
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parlor-config-"))
  warnings.length = 0
})
afterEach(() => {
  opened?.close()
  opened = undefined
  rmSync(folder, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const file = () => join(folder, "parlor.config.ts")
const model = scriptedModel([says("Hi")])
const open = async () => {
  opened = await openConfig({ file: file(), env: {}, log, defaultModel: async () => model })
  return opened
}
const crab = (text: string) =>
  `import { defineAgent, defineConfig } from "@parlor/agent"
   export default defineConfig({ agents: [defineAgent({ name: "crab", instructions: ${JSON.stringify(text)} })] })`

/** The agents of the next state of the file. */
function following(config: OpenedConfig): { next(change: () => void): Promise<readonly Agent[]> } {
  let told = (_: readonly Agent[]) => {}
  config.follow(({ agents }) => told(agents))
  return {
    next: (change) =>
      new Promise((resolve) => {
        told = resolve
        change()
      }),
  }
}

async function warned(change: () => void): Promise<string> {
  await new Promise<void>((resolve) => {
    onWarning = resolve
    change()
  })
  return warnings.at(-1) ?? ""
}

describe("a config file", () => {
  it("is TypeScript, loaded as it is, in a folder where nothing is installed", async () => {
    write(
      "lib/tools.ts",
      'import { defineTool } from "@parlor/agent"\nimport { z } from "zod"\nexport const pinch = defineTool({ name: "pinch", description: "Pinches.", input: z.object({ what: z.string().describe("Whom") }), run: ({ what }: { what: string }) => what })',
    )
    write("skills/tea/SKILL.md", "---\nname: tea\ndescription: Makes tea.\n---\nBoil water.")
    write(
      "parlor.config.ts",
      `import { defineAgent, type HandlerWake } from "@parlor/agent"
       import { pinch } from "./lib/tools.ts"
       const seen: HandlerWake[] = []
       export default [defineAgent({ name: "crab", tools: [pinch], skills: ["./skills"], slashCommands: [{ name: "pinch" }] })]`,
    )
    const { agents } = await open()
    const [agent] = agents
    expect(agent).toMatchObject({ name: "crab", model, memory: true, workspace: true })
    expect(agent?.tools.map(({ name }) => name)).toEqual(["pinch", "current_time", "ask_person"])
    expect(agent?.skills?.map(({ name }) => name)).toEqual(["tea"])
    expect(agent?.slashCommands).toEqual([
      { name: "pinch", description: "", arguments: [], argumentHint: null, owner: null },
    ])
    // The same zod: what is described there is told to the model here.
    expect(JSON.stringify(z.toJSONSchema(agent?.tools[0]?.input ?? z.null()))).toContain("Whom")
  })

  it("[CMP-18] what an author declares is used instead of what ships, and the clash is reported", async () => {
    const agent = defineAgent({
      name: "crab",
      shippedSkills: ["quickstart"],
      slashCommands: [{ name: "quickstart", description: "Mine." }, { name: "memory" }],
    })
    const options = { folder, env: {}, defaultModel: async () => model }
    const { agents, warnings } = await resolveAgents({ agents: [agent] }, options)
    expect(agents[0]?.skills).toEqual([])
    expect(warnings).toEqual([
      'Agent "crab": its own /quickstart is used instead of the skill that ships with Parlor.',
      'Agent "crab": its own /memory is used instead of the skill that ships with Parlor.',
    ])
    expect([...baseCommands(agents[0] as Agent).values()].map(({ name, owner }) => [name, owner])).toEqual([
      ["quickstart", null],
      ["memory", null],
    ])
  })

  it("is found by its name in the folder, or where PARLOR_CONFIG says", () => {
    expect(findConfig(folder, {})).toBeUndefined()
    write("parlor.config.mjs", "")
    expect(findConfig(folder, {})).toBe(join(folder, "parlor.config.mjs"))
    write("parlor.config.ts", "")
    expect(findConfig(folder, {})).toBe(file())
    write("other/bots.ts", "")
    expect(findConfig(folder, { PARLOR_CONFIG: "other/bots.ts" })).toBe(join(folder, "other/bots.ts"))
    expect(() => findConfig(folder, { PARLOR_CONFIG: "none.ts" })).toThrow("does not exist")
  })

  it.each([
    ["export default {\n  agents: = 1\n}", "parlor.config.ts:2: "],
    [
      'import { defineAgent } from "@parlor/agent"\n\nexport default [defineAgent({ name: "No!" })]',
      'parlor.config.ts:3: Agent "No!": name:',
    ],
    ["import './gone.ts'\nexport default []", "parlor.config.ts: Cannot find module './gone.ts'"],
    ["const x: any = undefined\nexport default x.y", "parlor.config.ts:2: Cannot read properties"],
    ["export const agents = []", "must export its agents"],
    [
      'export default [{ name: "a", model: "openai/x" }]',
      'Agent "a": model: The model "openai/x" needs OPENAI_API_KEY',
    ],
    ['export default [{ name: "a", skills: ["./none"] }]', 'Agent "a": skills: There is no folder'],
  ])("that is broken is refused with its place: %j", async (text, why) => {
    write("parlor.config.ts", text)
    await expect(open()).rejects.toThrow(why)
    await expect(open()).rejects.toThrow(file())
  })

  it("edited while it is followed is loaded anew, with what it imports and its skills", async () => {
    write("lib/words.ts", 'export const words: string = "One."')
    write("skills/tea/SKILL.md", "---\nname: tea\ndescription: Makes tea.\n---\nBoil water.")
    write(
      "parlor.config.ts",
      `import { words } from "./lib/words.ts"
       export default [{ name: "crab", instructions: words, skills: ["./skills"] }]`,
    )
    const follower = following(await open())
    const [second] = await follower.next(() => write("lib/words.ts", 'export const words: string = "Two."'))
    expect(second?.instructions).toBe("Two.")
    const [third] = await follower.next(() =>
      write("skills/tea/SKILL.md", "---\nname: tea\ndescription: Makes better tea.\n---\nBoil water."),
    )
    expect(third?.skills?.at(-1)?.description).toBe("Makes better tea.")
    const [fourth] = await follower.next(() =>
      write("skills/coffee/SKILL.md", "---\nname: coffee\ndescription: Makes coffee.\n---\nGrind."),
    )
    expect(fourth?.skills?.map(({ name }) => name)).toContain("coffee")
    const [fifth] = await follower.next(() => write("parlor.config.ts", crab("Three.")))
    expect(fifth?.instructions).toBe("Three.")
    expect(warnings).toEqual([])
  })

  it("broken by an edit keeps the agents there were, says so in one line, and is taken once it is mended", async () => {
    write("parlor.config.ts", crab("One."))
    const follower = following(await open())
    expect(await warned(() => write("parlor.config.ts", "export default [\n  oops"))).toContain("parlor.config.ts:2: ")
    expect(await warned(() => write("parlor.config.ts", "import './lib/gone'\nexport default []"))).toContain(
      "./lib/gone",
    )
    expect(warnings).toHaveLength(2)
    const [mended] = await follower.next(() => write("parlor.config.ts", crab("Two.")))
    expect(mended?.instructions).toBe("Two.")
  })

  it("is not looked at any more once it is closed", async () => {
    write("parlor.config.ts", crab("One."))
    const config = await open()
    let told = 0
    config.follow(() => {
      told += 1
    })
    config.close()
    const follower = following(await open())
    await follower.next(() => write("parlor.config.ts", crab("Two.")))
    expect(told).toBe(0)
  })
})

describe("a folder of skills", () => {
  it("[CMP-11] holds skills with their text files; what is no text is left out", async () => {
    write("tea/SKILL.md", "---\nname: tea\ndescription: Makes tea.\n---\nBoil water.")
    write("tea/references/leaves.md", "Green.")
    write("tea/logo.bin", "\u0000\u0001")
    write("tea/.hidden", "no")
    write("notes/readme.md", "No skill.")
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"))
    const { skills, folders } = await readSkills(folder)
    expect(skills).toEqual([
      { name: "tea", description: "Makes tea.", body: "Boil water.", files: { "references/leaves.md": "Green." } },
    ])
    expect(folders.map((path) => path.slice(folder.length))).toEqual(["", "/notes", "/tea", "/tea/references"])
    expect((await readSkills(join(folder, "tea"))).skills).toEqual(skills)
    mkdirSync(join(folder, "linked"))
    symlinkSync(join(folder, "tea"), join(folder, "linked", "tea"))
    expect((await readSkills(join(folder, "linked"))).skills).toEqual(skills)
  })

  it("says which file and line is wrong", async () => {
    write("tea/SKILL.md", "---\nname: tea\nwhat\n---\nBoil water.")
    await expect(readSkills(folder)).rejects.toThrow(join(folder, "tea", "SKILL.md:3:"))
  })

  it("[CMP-18] those that ship are real", async () => {
    const { skills } = await readSkills(join(import.meta.dirname, "../../skills"))
    expect(skills.map(({ name }) => name)).toEqual(["quickstart"])
    for (const word of ["queue", "stop", "ask_person", "/quickstart", "parlor init"])
      expect(skills[0]?.body.toLowerCase()).toContain(word)
  })
})
