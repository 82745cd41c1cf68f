/**
 * The tools a step called, one after another (TRN-11).
 *
 *   waiting ──allowed──▶ started ──▶ done | failed
 *      └──refused──▶ failed            └──crash──▶ unknown (run again only when the tool is repeatable)
 *
 * Each change is saved before the next thing begins (TRN-6). A tool's failure is a result for the model, never a crash.
 */
import { type Address, Fault, type ToolPart, type TurnRow } from "@parlor/protocol"
import type { Question, Tool } from "../agent/agent.ts"
import type { ToolContext } from "../agent/tool.ts"
import type { Asked } from "../ask/ask.ts"
import type { Brief } from "../context/brief.ts"
import { Fenced } from "../log/decide.ts"
import { orAborted } from "../model-call/or-aborted.ts"
import type { Reply } from "../model-call/reply.ts"
import type { Clock } from "../ports/clock.ts"
import type { Json } from "../ports/json.ts"
import { cleanText } from "../text/clean-json.ts"
import { bounded } from "./bounded-output.ts"
import { takePictures } from "./pictures.ts"
import { reporting } from "./tool-progress.ts"

const TIMEOUT_MS = 120_000
const MAX_OUTPUT_BYTES = 64 * 1024
const MAX_DETAIL_CHARS = 4_000

export type ToolCalls = {
  readonly brief: Brief
  readonly address: Address
  readonly turn: TurnRow
  readonly reply: Reply
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Asks the person; undefined if it expired. With `mayHandOver`, another process may wait for the answer instead. */
  readonly ask: (asked: Asked, options: { readonly mayHandOver: boolean }) => Promise<Json | undefined>
  /** Whether the person always allows this tool (ASK-4). */
  readonly isGranted: (tool: string) => Promise<boolean>
  /** Throws if another process has to run the rest. */
  readonly handOverPoint: () => void
  /** Nobody is at the keyboard: an ask is a no. */
  readonly unattended: boolean
  /** What a tool may use of its turn besides asking. */
  readonly access: (call: string, signal: AbortSignal, ask: ToolContext["ask"]) => ToolAccess
  /** Stores a picture, or output that is too long to show, and returns its hash. */
  readonly keep: (content: Uint8Array) => Promise<string>
}

export type ToolAccess = Pick<ToolContext, "workspace" | "memory" | "conversation" | "send" | "spawn" | "observe">

type Outcome = Pick<ToolPart, "state" | "output" | "error" | "kept" | "pictures">

/** Runs the calls that have not run. True if the step had any call: the model has to see the results. */
export async function runTools(parts: ToolCalls): Promise<boolean> {
  const calls = parts.reply.parts.filter((part): part is ToolPart => part.type === "tool")
  if (calls.length === 0) return false
  for (const [index, call] of calls.entries()) {
    if (index > 0) parts.handOverPoint()
    await runCall(parts, call)
  }
  return true
}

async function runCall(parts: ToolCalls, call: ToolPart): Promise<void> {
  const { reply } = parts
  const tool = parts.brief.tools.find((known) => known.name === call.name)
  const runsAgain = call.state === "started" && (tool?.repeatable ?? false)
  if (call.state === "started" && !runsAgain)
    return finish(parts, call, { state: "unknown", output: null, error: null })
  if (call.state !== "waiting" && !runsAgain) return
  if (tool === undefined) return finish(parts, call, failed("tool.unknown", `There is no tool "${call.name}".`))
  const parsed = tool.input.safeParse(call.input)
  if (!parsed.success) {
    const why = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")
    return finish(parts, call, failed("tool.input", why))
  }
  const approval = !runsAgain && approvalFor(tool, parsed.data)
  if (approval !== false && !(await isAllowed(parts, call, approval)))
    return finish(parts, call, failed("tool.refused", refusal(parts)))
  const started: ToolPart = { ...without(call), state: "started", startedAt: parts.clock.now() }
  reply.tool(started)
  await reply.save()
  const progress = reporting(parts, started)
  try {
    const outcome = await run(parts, tool, call, { input: parsed.data, progress: progress.report })
    await progress.end()
    await finish(parts, call, outcome)
  } finally {
    await progress.end()
  }
}

/** The call without what is only of interest while it runs. */
function without({ startedAt: _at, progress: _progress, ...call }: ToolPart): ToolPart {
  return call
}

async function finish(parts: ToolCalls, call: ToolPart, outcome: Outcome): Promise<void> {
  parts.reply.tool({ ...without(call), ...outcome })
  await parts.reply.save()
}

/** False if no approval is needed; a string is the reason for it. */
function approvalFor(tool: Tool, input: unknown): boolean | string {
  const { approval = "never" } = tool
  return typeof approval === "function" ? approval(input) : approval === "always"
}

async function isAllowed(parts: ToolCalls, call: ToolPart, why: true | string): Promise<boolean> {
  if (parts.unattended) return false
  if (await parts.isGranted(call.name)) return true
  await parts.reply.save()
  const input = JSON.stringify(call.input, null, 2)
  const detail = why === true ? input : `${why}\n\n${input}`
  const title = `Allow ${parts.brief.speaker.name} to use ${call.name}?`
  const asked = { kind: "approval", title, detail, call: call.call, tool: call.name } as const
  const answer = await parts.ask(asked, { mayHandOver: true })
  return answer === true
}

type Running = { readonly input: unknown; readonly progress: ToolContext["progress"] }

async function run(parts: ToolCalls, tool: Tool, call: ToolPart, { input, progress }: Running): Promise<Outcome> {
  const limit = new AbortController()
  const timeoutMs = tool.timeoutMs ?? TIMEOUT_MS
  const begin = () => parts.clock.after(timeoutMs, () => limit.abort(new Error(`It took longer than ${timeoutMs} ms.`)))
  let cancel = begin()
  const signal = AbortSignal.any([parts.signal, limit.signal])
  /** An ask that could not be written or read is a problem of the turn, whatever the tool does about it. */
  let broken: { readonly why: unknown } | undefined
  /** Its approval, if it needs one, was the first. */
  let nth = approvalFor(tool, input) === false ? 0 : 1
  /** People may take their time: while one is asked, the tool's timeout is paused. */
  const ask = async (question: Question) => {
    if (parts.unattended) return undefined
    cancel()
    try {
      const mayHandOver = tool.repeatable ?? false
      return await parts.ask({ detail: "", ...question, call: call.call, nth: nth++ }, { mayHandOver })
    } catch (why) {
      broken = { why }
      throw why
    } finally {
      if (!signal.aborted) cancel = begin()
    }
  }
  try {
    const context: ToolContext = {
      ...parts.access(call.call, signal, ask),
      signal,
      now: () => parts.clock.now(),
      ask,
      progress,
      call: call.call,
      turn: parts.turn.id,
      address: parts.address,
    }
    const output = await orAborted(signal, tool.run(input, context))
    if (broken !== undefined) throw broken.why
    const { output: said, pictures } = await takePictures(output, parts.keep)
    const most = tool.maxOutputBytes ?? MAX_OUTPUT_BYTES
    return {
      state: "done",
      ...(await bounded(said, { most, call: call.call, keep: parts.keep })),
      ...(pictures.length === 0 ? {} : { pictures: [...pictures] }),
      error: null,
    }
  } catch (error) {
    if (parts.signal.aborted) throw error
    if (broken !== undefined) throw broken.why
    // The store is down, or another owner has the conversation: not a failure of the tool, and the model cannot fix it.
    if (error instanceof Fault || error instanceof Fenced) throw error
    const code = limit.signal.aborted ? "tool.timeout" : "tool.failed"
    return failed(code, cleanText((error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL_CHARS)))
  } finally {
    cancel()
  }
}

function refusal(parts: ToolCalls): string {
  return parts.unattended ? "Nobody is there to allow this. Continue without it." : "The person did not allow this."
}

function failed(code: string, detail: string): Outcome {
  return { state: "failed", output: null, error: { code, detail } }
}
