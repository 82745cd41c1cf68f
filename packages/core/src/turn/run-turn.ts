/** The steps of one turn, from its first model call to how it ended. Writes only through `write`. */
import {
  addUsage,
  Bug,
  Fault,
  type MessageId,
  type MessageRow,
  type NewChange,
  type ProblemNote,
  Refusal,
  type StreamId,
  type TurnRow,
} from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import { textOf } from "../context/context.ts"
import { readHistory } from "../context/history.ts"
import { Fenced } from "../conversation/decide.ts"
import type { Node } from "../node.ts"
import { ModelFault } from "../ports/model.ts"
import { Reply } from "./reply.ts"
import { runStep } from "./step.ts"
import type { TurnEnd } from "./turn.ts"

const MAX_STEPS = 64

/** Why a turn's signal was aborted: a person asked for it. */
export class StopAsked extends Error {
  readonly onQueue: "hold" | "drain" | "clear"

  constructor(onQueue: "hold" | "drain" | "clear") {
    super("stopped")
    this.name = "StopAsked"
    this.onQueue = onQueue
  }
}

export type TurnParts = {
  readonly stream: StreamId
  /** Refused when the agent is no longer defined: then the turn fails, visibly. */
  readonly agent: () => Agent
  readonly turn: TurnRow
  readonly abort: AbortController
  readonly write: (changes: readonly NewChange[]) => Promise<void>
}

export type Finished = {
  readonly turn: TurnRow
  readonly end: TurnEnd
  /** Changes still to be written, together with the end. */
  readonly last: readonly NewChange[]
  readonly said: string
}

export async function runTurn(node: Node, parts: TurnParts): Promise<Finished> {
  const { abort } = parts
  let turn = parts.turn
  let reply: Reply | undefined
  try {
    const agent = parts.agent()
    const history: MessageRow[] = [...(await readHistory(node.store, parts.stream, agent.model.window))]
    while (turn.steps < MAX_STEPS) {
      reply = replyAfter(node, parts, history.at(-1)?.ord ?? 0)
      const step = await runStep({ agent, history, reply, signal: abort.signal, clock: node.clock })
      turn = { ...turn, steps: turn.steps + 1, usage: addUsage(turn.usage, step.usage) }
      const last = await reply.seal("done", step.usage)
      if (abort.signal.aborted) throw abort.signal.reason
      const row = reply.row("done", step.usage)
      if (!step.goesOn) return { turn, end: { state: "done" }, last, said: textOf(row.parts) }
      await parts.write([...last, { collection: "turns", key: turn.id, operation: "update", row: turn }])
      history.push(row)
    }
    return { turn, end: { state: "failed", error: tooManySteps() }, last: [], said: "" }
  } catch (error) {
    return { turn, ...(await ended(node, error, abort.signal, reply)) }
  }
}

/** How a turn that broke off ends. What was said is kept (TRN-5). */
async function ended(
  node: Node,
  error: unknown,
  signal: AbortSignal,
  reply: Reply | undefined,
): Promise<Omit<Finished, "turn">> {
  const cause = signal.aborted ? signal.reason : error
  if (cause instanceof Fenced || cause instanceof Fault) throw cause
  const said = reply ? textOf(reply.parts) : ""
  if (cause instanceof StopAsked) {
    const last = (await reply?.seal("truncated", null)) ?? []
    return { end: { state: "stopped", onQueue: cause.onQueue }, last, said }
  }
  const last = (await reply?.seal("failed", null)) ?? []
  return { end: { state: "failed", error: noteOf(node, cause) }, last, said }
}

function replyAfter(node: Node, parts: TurnParts, ord: number): Reply {
  return new Reply({
    id: node.ids.next("msg") as MessageId,
    ord: ord + 1,
    turn: parts.turn.id,
    at: node.clock.now(),
    write: parts.write,
    onFailure: (error) => parts.abort.abort(error),
  })
}

function noteOf(node: Node, error: unknown): ProblemNote {
  if (error instanceof ModelFault) return { code: "model.failed", detail: error.message }
  if (error instanceof Refusal) return { code: error.code, detail: error.message }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  node.log.error("turn failed", { reason })
  return { code: "bug", detail: new Bug("Something went wrong in Parlor while answering.").message }
}

function tooManySteps(): ProblemNote {
  return { code: "turn.too-many-steps", detail: `The agent took ${MAX_STEPS} steps without finishing and was stopped.` }
}
