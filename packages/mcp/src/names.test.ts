import { commandRow } from "@parlor/core"
import fc from "fast-check"
import { expect, it } from "vitest"
import { commandName, toolName } from "./names.ts"

const server = fc.stringMatching(/^[a-z0-9]{1,11}(-[a-z0-9]{1,11})?$/)
const anyName = fc.string({ unit: "binary", maxLength: 200 })

it("[TRG-6] a name that fits is kept, and says whose it is", () => {
  expect(toolName("files", "read_file")).toBe("files__read_file")
  expect(commandName("files", "summarize-all")).toBe("files:summarize-all")
})

it("[TRG-6] whatever a server calls a tool, its name is one that every provider takes, and no two are the same", () => {
  fc.assert(
    fc.property(server, fc.uniqueArray(anyName, { minLength: 2, maxLength: 8 }), (name, tools) => {
      const names = tools.map((tool) => toolName(name, tool))
      for (const one of names) expect(one).toMatch(/^[a-zA-Z_][\w-]{0,63}$/)
      expect(new Set(names).size).toBe(tools.length)
    }),
  )
})

it("[TRG-6] a tool of a server that is named as ours gets another name", () => {
  expect(toolName("files", "read_resource")).toMatch(/^files__read_resource_[0-9a-f]{8}$/)
})

it("[TRG-6] whatever a server calls a prompt, it is a slash command, and no two are the same", () => {
  fc.assert(
    fc.property(server, fc.uniqueArray(anyName, { minLength: 2, maxLength: 8 }), (name, prompts) => {
      const names = prompts.map((prompt) => commandName(name, prompt))
      for (const one of names) expect(commandRow({ name: one }, "mcp:x").name).toBe(one)
      expect(new Set(names).size).toBe(prompts.length)
    }),
  )
})
