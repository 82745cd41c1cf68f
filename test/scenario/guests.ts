/** Agents to be named as guests, and what is to be seen of them. */
import { type Agent, defineTool, type ModelRequest } from "@parlor/core"
import { type Heard, readFrames, type Script, type ScriptedModel, says, scriptedModel } from "@parlor/core/testing"
import type { MessageRow, StatusRow } from "@parlor/protocol"
import { z } from "zod"
import type { Stage } from "./stage.ts"

export type Guest = Agent & { readonly model: ScriptedModel }

/** With a tool, which as a guest it is not offered. */
export function guest(name: string, scripts: readonly Script[], change: Partial<Agent> = {}): Guest {
  const model = scriptedModel(scripts, { fallback: says(`${name} again.`) })
  const agent = { name, description: "", instructions: `Be a ${name}.`, tools: [shout], slashCommands: [], ...change }
  return { ...agent, model }
}

export const shout = defineTool({
  name: "shout",
  description: "Says it loudly.",
  input: z.object({}),
  repeatable: true,
  run: async () => "LOUD",
})

export async function messagesOf(stage: Stage): Promise<MessageRow[]> {
  return [...(await stage.rows()).messages.values()].sort((a, b) => a.ord - b.ord)
}

export async function statesOf(stage: Stage): Promise<string[]> {
  return (await statusesOf(stage)).map(({ state }) => state)
}

/** As it changed, without the rows that only note that a message queued. */
export async function statusesOf(stage: Stage): Promise<StatusRow[]> {
  const all = (await stage.log()).flatMap((change) => (change.type === "status" ? [change.value] : []))
  const without = (row: StatusRow | undefined) => JSON.stringify({ ...row, activityAt: 0 })
  return all.filter((row, index) => without(row) !== without(all[index - 1]))
}

/** Who said what, of all that reaches the model from the person's side. */
export function heardIn(request: ModelRequest | undefined): readonly Heard[] {
  return (request?.messages ?? []).flatMap((message) => (message.role === "person" ? readFrames(message.text) : []))
}
