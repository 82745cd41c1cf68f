/** One model call of a turn, and the tools it asked for, one after another (TRN-6, TRN-11). */
import { addUsage, emptyUsage, type MessageRow, type ToolPart, type Usage } from "@parlor/protocol"
import type { Agent, Tool } from "../agent/agent.ts"
import { buildRequest } from "../context/context.ts"
import type { Clock } from "../ports/clock.ts"
import { type Json, type ModelEvent, ModelFault } from "../ports/model.ts"
import type { Reply } from "./reply.ts"

export type StepEnd = { readonly usage: Usage; readonly goesOn: boolean }

export type StepParts = {
  readonly agent: Agent
  readonly history: readonly MessageRow[]
  readonly reply: Reply
  readonly signal: AbortSignal
  readonly clock: Clock
}

type Call = { readonly call: string; readonly name: string; readonly input: string }

export async function runStep(parts: StepParts): Promise<StepEnd> {
  const { agent, reply, signal } = parts
  const calls: Call[] = []
  let usage = emptyUsage
  const onEvent = (event: ModelEvent): void => {
    if (signal.aborted) return
    if (event.type === "text" || event.type === "reasoning") reply.text(event.type, event.text)
    else if (event.type === "tool") calls.push(event)
    else usage = addUsage(usage, event.usage)
  }
  const request = buildRequest(agent, parts.history)
  await orAborted(signal, agent.model.run(request, { signal, onEvent }))
  for (const call of calls) await runCall(parts, call)
  if (calls.length === 0 && !reply.started) throw new ModelFault("The model gave an empty answer.", { transient: true })
  return { usage, goesOn: calls.length > 0 }
}

async function runCall(parts: StepParts, call: Call): Promise<void> {
  const tool = parts.agent.tools.find((known) => known.name === call.name)
  const input = parseInput(call.input)
  const started: ToolPart = {
    type: "tool",
    call: call.call,
    name: call.name,
    input: (input.ok ? input.value : call.input) as ToolPart["input"],
    state: "started",
    output: null,
    error: null,
  }
  parts.reply.tool(started)
  await parts.reply.save()
  const outcome = input.ok ? await runTool(parts, tool, call.name, input.value) : failed("tool.input", input.why)
  parts.reply.tool({ ...started, ...outcome })
  await parts.reply.save()
}

type Outcome = Pick<ToolPart, "state" | "output" | "error">

/** A tool's failure is a result the model sees, never a crash. */
async function runTool(parts: StepParts, tool: Tool | undefined, name: string, input: Json): Promise<Outcome> {
  if (tool === undefined) return failed("tool.unknown", `There is no tool "${name}".`)
  const parsed = tool.input.safeParse(input)
  if (!parsed.success)
    return failed(
      "tool.input",
      parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "),
    )
  try {
    const context = { signal: parts.signal, now: () => parts.clock.now() }
    const output = await orAborted(parts.signal, tool.run(parsed.data, context))
    return { state: "done", output: output as ToolPart["output"], error: null }
  } catch (error) {
    if (parts.signal.aborted) throw error
    return failed("tool.failed", error instanceof Error ? error.message : String(error))
  }
}

function failed(code: string, detail: string): Outcome {
  return { state: "failed", output: null, error: { code, detail } }
}

function parseInput(text: string): { ok: true; value: Json } | { ok: false; why: string } {
  try {
    return { ok: true, value: JSON.parse(text || "{}") as Json }
  } catch (error) {
    return { ok: false, why: `The input is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Does not wait for work that ignores the signal: a stalled provider must not hold up a stop (TRN-4). */
function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}
