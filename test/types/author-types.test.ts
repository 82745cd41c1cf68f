/**
 * What authors and clients may write, and what must not compile: one line per case. The functions are never called; the
 * check of the types decides. A line below `@ts-expect-error` that compiles is an error.
 */
import { readFileSync } from "node:fs"
import {
  type ComposerInputPayload,
  type ComposerNode,
  commandIn,
  composerInputOf,
  defineAgent,
  defineSlashCommand,
  type HandlerContext,
  nodesOf,
  skillsLoader,
} from "@parlor/agent"
import type { ComposerInput, SendRequest, SlashCommandRow } from "@parlor/client"
import { expect, test } from "vitest"
import { z } from "zod"

const order = defineSlashCommand({
  name: "order",
  arguments: [
    { name: "order_id", required: true },
    { name: "count", type: "number" },
  ],
})
const inbox = { order: z.object({ id: z.number() }), ping: z.null() }
declare const shop: HandlerContext<typeof inbox>
declare const any: HandlerContext
declare const node: ComposerNode
declare const typed: ComposerInput
declare const row: SlashCommandRow
declare const helper: (ctx: HandlerContext) => unknown
declare const str: (value: string) => void
declare const num: (value: number) => void
declare const bool: (value: boolean) => void
declare const nothing: (value: null) => void
declare const wakeType: (value: "inbox" | "schedule" | "webhook" | "observation" | "spawn") => void
declare const take: (node: ComposerNode) => void
declare const send: (body: SendRequest) => void

test("[CMP-24] at least 60 cases compile, or do not, as they should", () => {
  const source = readFileSync(import.meta.filename, "utf8")
  expect(source.match(/^ {2}\/\/ (?:must compile|@ts-expect-error)/gm)?.length).toBeGreaterThanOrEqual(60)
  expect([compiles, doesNot]).toHaveLength(2)
})

// biome-ignore format: one case per line
function compiles(): void {
  // must compile
  defineAgent({ name: "a" })
  // must compile
  defineAgent({ name: "a", slashCommands: [{ name: "go" }] })
  // must compile
  defineAgent({ name: "a", slashCommands: [order] })
  // must compile
  defineAgent({ name: "a", shippedSkills: ["quickstart"] })
  // must compile
  defineAgent({ name: "a", shippedSkills: true })
  // must compile
  defineAgent({ name: "a", handler: helper })
  // must compile
  defineAgent({ name: "a", inbox, handler: helper })
  // must compile
  defineAgent({ name: "a", inbox, handler: (ctx) => helper(ctx) })
  // must compile
  defineAgent({ name: "a", inbox, handler: (ctx) => skillsLoader(ctx) })
  // must compile
  defineAgent({ name: "a", inbox, handler: (ctx) => { if (ctx.wake.message.message_type === "order") num(ctx.wake.message.payload.id) } })
  // must compile
  defineAgent({ name: "a", handler: (ctx) => { if (ctx.wake.type === "inbox") str(ctx.wake.message.payload.source) } })
  // must compile
  helper(shop)
  // must compile
  bool(shop.wake.recovered)
  // must compile
  wakeType(shop.wake.type)
  // must compile
  if (shop.wake.type === "spawn") str(shop.wake.message.payload.branch)
  // must compile
  if (shop.wake.type === "webhook") str(shop.wake.envelope.source)
  // must compile
  if (shop.wake.type === "inbox" && shop.wake.message.message_type === "composer_input") str(shop.wake.message.payload.source)
  // must compile
  if (shop.wake.message.message_type === "ping") nothing(shop.wake.message.payload)
  // must compile
  { const payload = any.wake.message.payload as ComposerInputPayload; str(payload.source) }
  // must compile
  str(composerInputOf(shop.wake)?.source ?? "")
  // must compile
  { const call = commandIn(any.wake, order); if (call?.ok) str(call.arguments.order_id) }
  // must compile
  { const call = commandIn(any.wake, order); if (call?.ok) num(call.arguments.count ?? 0) }
  // must compile
  { const call = commandIn(any.wake, order); if (call?.ok === false) str(call.problem) }
  // must compile
  for (const { arguments: given } of any.slashCommands.invoked()) str(String(given.anything))
  // must compile
  void any.slashCommands.register({ name: "x", arguments: [{ name: "n", type: "number" }] })
  // must compile
  str(any.slashCommands.get("x")?.description ?? "")
  // must compile
  void any.insertContext({ type: "skill", title: "t", content: "c", metadata: { command: "x" } })
  // must compile
  if (node.kind === "slash_command") str(node.name)
  // must compile
  if (node.kind === "file") { str(node.path); num(node.lines?.from ?? 0) }
  // must compile
  if (node.kind === "attachment") str(node.hash)
  // must compile
  for (const { path } of nodesOf(typed, "file")) str(path)
  // must compile
  take({ kind: "x-ticket", start: 0, end: 1, raw: "x", id: 7 })
  // must compile
  send({ type: "composer_input", payload: typed, from: "me", guest: "critic", mode: "steer" })
  // must compile
  send({ text: "hi", guests: ["critic"] })
  // must compile
  send({ type: "order", payload: { id: 7 } })
  // must compile
  str(row.argumentHint ?? "")
}

// biome-ignore format: the directive counts for one line
function doesNot(): void {
  // @ts-expect-error
  defineAgent({ name: "a", commands: [] })
  // @ts-expect-error
  defineAgent({ name: "a", slashCommands: [{ description: "no name" }] })
  // @ts-expect-error
  defineAgent({ name: "a", slashCommands: [{ name: "x", arguments: [{ name: "d", type: "date" }] }] })
  // @ts-expect-error
  defineAgent({ name: "a", shippedSkills: ["none"] })
  // @ts-expect-error
  defineAgent({ name: "a", inbox: { order: "text" } })
  // @ts-expect-error
  defineAgent({})
  // @ts-expect-error
  str(shop.wake.kind)
  // @ts-expect-error
  str(shop.wake.payload)
  // @ts-expect-error
  if (shop.wake.type === "recovery") str("")
  // @ts-expect-error
  if (shop.wake.message.message_type === "refund") str("")
  // @ts-expect-error
  if (shop.wake.message.message_type === "order") str(shop.wake.message.payload.id)
  // @ts-expect-error
  if (shop.wake.type === "inbox") str(shop.wake.envelope.source)
  // @ts-expect-error
  str(any.wake.message.payload)
  // @ts-expect-error
  { const call = commandIn(any.wake, order); if (call) str(call.arguments.order_id) }
  // @ts-expect-error
  { const call = commandIn(any.wake, order); if (call?.ok) num(call.arguments.order_id) }
  // @ts-expect-error
  { const call = commandIn(any.wake, order); if (call?.ok) str(call.arguments.other) }
  // @ts-expect-error
  { const call = commandIn(any.wake, order); if (call?.ok) num(call.arguments.count) }
  // @ts-expect-error
  any.slashCommands.register("x")
  // @ts-expect-error
  void any.insertContext({ title: "t", content: "c" })
  // @ts-expect-error
  str(node.name)
  // @ts-expect-error
  if (node.kind === "file") str(node.name)
  // @ts-expect-error
  take({ kind: "slash_command", start: 0, end: 1, raw: "/" })
  // @ts-expect-error
  take({ kind: "ticket", start: 0, end: 1, raw: "x" })
  // @ts-expect-error
  nodesOf(typed, "emoji")
  // @ts-expect-error
  str(typed.sorce)
  // @ts-expect-error
  send({ text: "hi", mode: "later" })
  // @ts-expect-error
  send({ text: "hi", sender: "me" })
  // @ts-expect-error
  send({ type: "order" })
}
