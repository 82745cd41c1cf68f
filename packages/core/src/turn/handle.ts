/** Runs an agent's own code in a turn, and returns how that ended (CMP-12, CMP-14). */
import { Bug, Fault, Refusal } from "@parlor/protocol"
import type { Handler } from "../agent/handler.ts"
import { wakeOf } from "../agent/wake.ts"
import { Fenced } from "../log/decide.ts"
import { orAborted } from "../model-call/or-aborted.ts"
import { ModelFault } from "../ports/model.ts"
import { cleanText } from "../text/clean-json.ts"
import { beginActs } from "./acts.ts"
import { handlerContext } from "./handler-context.ts"
import { TurnProblem } from "./problem.ts"
import type { LastStep, Run } from "./run.ts"
import { StopAsked } from "./stop-asked.ts"
import { settleInterrupted } from "./streamed-reply.ts"

/** The handler's own time: the clock stops while a model, a tool or a person is working. */
const TIMEOUT_MS = 120_000
const MAX_DETAIL_CHARS = 4_000

/**
 * `steps`: the standard turn, for `ctx.run()`. Resolves with the last reply, when the handler is done and everything it
 * did is durable.
 */
export async function runHandler(run: Run, handler: Handler, steps: () => Promise<LastStep>): Promise<string> {
  const { node, parts, brief, message } = run
  const { speaker } = brief
  const { signal } = parts.abort
  if (message === undefined) throw new Bug("a turn whose message is gone")
  const wake = await wakeOf(message, speaker.inbox ?? {}, { recovered: parts.recovered })
  const idleMs = speaker.handlerTimeoutMs ?? TIMEOUT_MS
  const acts = beginActs({ clock: node.clock, abort: parts.abort, idleMs })
  await settleInterrupted(run)
  const { ctx, said } = handlerContext(run, { message, wake, acts, steps, idleMs })
  try {
    await orAborted(
      signal,
      Promise.resolve().then(() => handler(ctx)),
    )
    await acts.end()
  } catch (error) {
    const problem = isOurs(error) ? error : failed(run, error)
    // Acts that it started and did not await end with it; after a stop it already knows.
    parts.abort.abort(problem)
    await acts.end().catch(() => {})
    throw problem
  }
  signal.throwIfAborted()
  return said()
}

/** These errors define by themselves how the turn ends. */
function isOurs(error: unknown): boolean {
  return [Fenced, Fault, StopAsked, ModelFault, Refusal, TurnProblem, Bug].some((kind) => error instanceof kind)
}

/** The person reads the error, the operator where it happened; logs contain no text of people (SEC-8). */
function failed({ node, brief }: Run, error: unknown): TurnProblem {
  const said = error instanceof Error ? error.message : String(error)
  const at = error instanceof Error ? placeOf(error) : undefined
  node.log.error("handler failed", {
    agent: brief.speaker.name,
    error: error instanceof Error ? error.name : typeof error,
    at,
  })
  const detail = cleanText(said.slice(0, MAX_DETAIL_CHARS)) || "The agent's handler failed without a message."
  return new TurnProblem("handler.failed", detail, { cause: error })
}

function placeOf(error: Error): string | undefined {
  return /^ +at (.*)$/m.exec(error.stack ?? "")?.[1]
}
