/** Runs an agent's own code in a turn, and says how that ended (CMP-12, CMP-14). */
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

/** Time of its own: while a model, a tool or a person takes theirs, it stands still. */
const TIMEOUT_MS = 120_000
const MAX_DETAIL_CHARS = 4_000

/** `steps`: those of the standard turn, for `ctx.run()`. Resolves with what was said last, when the handler is through and everything it did is durable. */
export async function runHandler(run: Run, handler: Handler, steps: () => Promise<LastStep>): Promise<string> {
  const { node, parts, brief, message } = run
  const { speaker } = brief
  const { signal } = parts.abort
  if (message === undefined) throw new Bug("a turn whose message is gone")
  const wake = await wakeOf(message, speaker.inbox ?? {}, { recovered: parts.recovered })
  const idleMs = speaker.handlerTimeoutMs ?? TIMEOUT_MS
  const acts = beginActs({ clock: node.clock, abort: parts.abort, idleMs })
  const { ctx, said } = handlerContext(run, { message, wake, acts, steps })
  try {
    await orAborted(
      signal,
      Promise.resolve().then(() => handler(ctx)),
    )
    await acts.end()
  } catch (error) {
    const problem = isOurs(error) ? error : failed(run, error)
    // What it began and did not wait for ends with it; after a stop it has been told already.
    parts.abort.abort(problem)
    await acts.end().catch(() => {})
    throw problem
  }
  signal.throwIfAborted()
  return said()
}

/** These say by themselves how the turn ends. */
function isOurs(error: unknown): boolean {
  return [Fenced, Fault, StopAsked, ModelFault, Refusal, TurnProblem, Bug].some((kind) => error instanceof kind)
}

/** The person reads what it says, whoever runs the server where it happened; logs hold no words of people (SEC-8). */
function failed({ node, brief }: Run, error: unknown): TurnProblem {
  const said = error instanceof Error ? error.message : String(error)
  const at = error instanceof Error ? placeOf(error) : undefined
  node.log.error("handler failed", {
    agent: brief.speaker.name,
    error: error instanceof Error ? error.name : typeof error,
    at,
  })
  const detail = cleanText(said.slice(0, MAX_DETAIL_CHARS)) || "The agent's handler failed without saying why."
  return new TurnProblem("handler.failed", detail, { cause: error })
}

function placeOf(error: Error): string | undefined {
  return /^ +at (.*)$/m.exec(error.stack ?? "")?.[1]
}
