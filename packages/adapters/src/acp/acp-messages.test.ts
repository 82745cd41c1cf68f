import type { SlashCommandRow } from "@parlor/protocol"
import { messageOf } from "@parlor/protocol/testing"
import { expect, it } from "vitest"
import { acpCommands, acpMessages } from "./acp-messages.ts"
import type { AcpFiles } from "./acp-tools.ts"

it("[API-32] a command's hint names its arguments; one without any has none", () => {
  const argument = (name: string, required: boolean) => ({ name, required, type: "string", description: "" })
  const commands = [
    { name: "order", description: "Orders.", arguments: [argument("what", true), argument("when", false)] },
    { name: "help", description: "Helps.", arguments: [] },
  ] as unknown as SlashCommandRow[]
  expect(acpCommands(commands)).toEqual({
    sessionUpdate: "available_commands_update",
    availableCommands: [
      { name: "order", description: "Orders.", input: { hint: "<what> [when]" } },
      { name: "help", description: "Helps." },
    ],
  })
})

it("[API-29] a call that runs is replayed without an outcome, one that ended with it", () => {
  const tool = { type: "tool", call: "c", name: "clock", input: {}, output: null, error: null } as const
  const replayed = (state: "waiting" | "started" | "done", output: string | null) =>
    acpMessages([messageOf("m", 1, "", { parts: [{ ...tool, state, output }] })], {} as AcpFiles)[0]
  for (const state of ["waiting", "started"] as const) expect(replayed(state, null)).not.toHaveProperty("rawOutput")
  expect(replayed("done", "noon")).toMatchObject({ sessionUpdate: "tool_call", status: "completed" })
  expect(JSON.stringify(replayed("done", "noon"))).toContain("noon")
})
