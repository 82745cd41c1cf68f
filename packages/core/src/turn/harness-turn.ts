/**
 * The turn of a hosted agent (HST-1): one prompt, or several if messages steer it.
 *
 *   message ─▶ prompt ─▶ answered ─▶ end, unless a message steers ─▶ prompt …
 *
 * The agent works outside: it is never asked to repeat what it may have done. What is in the log when it is interrupted
 * stays, and it continues after that (HST-8).
 */
import type { MessageRow, NewChange } from "@parlor/protocol"
import { withdrawals } from "../ask/ask.ts"
import { decide, readState } from "../log/decide.ts"
import { statusChange } from "../log/state.ts"
import { replyFrom } from "../model-call/begin-reply.ts"
import type { Harness } from "../ports/harness.ts"
import { Hosting } from "./hosting.ts"
import { type Run, readMessage, remember, turnChange } from "./run.ts"
import { takeSteering } from "./steer.ts"

export async function runHarness(
  run: Run,
  harness: Harness,
): Promise<{ readonly last: readonly NewChange[]; readonly said: string }> {
  const isFirst = run.turn.steps === 0
  let isContinued = false
  if (run.parts.recovered && !run.isHarnessResumed) {
    run.isHarnessResumed = true
    isContinued = true
    await settleInterrupted(run)
  }
  const messages = isFirst || isContinued ? await currentMessages(run) : await joining(run)
  if (messages.length === 0) return { last: [], said: "" }
  return new Hosting(run, harness, messages).answer(isContinued)
}

/** The newest message of this turn: the one it began with, or one that joined it. */
async function currentMessages(run: Run): Promise<readonly MessageRow[]> {
  const joined = run.history.findLast((one) => one.role === "person" && one.turn === run.turn.id)
  const message = joined ?? run.message ?? (await readMessage(run.node, run.parts, run.turn.message))
  return message === undefined ? [] : [message]
}

async function joining(run: Run): Promise<readonly MessageRow[]> {
  const messages = await takeSteering(run.node, run.parts.owner)
  for (const message of messages) remember(run, message)
  return messages
}

/** What the interrupted attempt left: its message is closed, and its questions are withdrawn. */
async function settleInterrupted(run: Run): Promise<void> {
  const { node, parts, resume } = run
  run.resume = undefined
  run.cut = undefined
  const { owner } = parts
  if (resume !== undefined) {
    const reply = replyFrom(parts, resume)
    await parts.write(await reply.seal("truncated"))
    remember(run, reply.row("truncated"))
  }
  const { asks } = await readState(node, owner.stream)
  if (asks.length === 0) return
  await decide(
    node,
    owner.stream,
    (state) => {
      const status = { ...state.status, state: "busy", since: node.clock.now() } as const
      run.turn = { ...run.turn, state: "running" }
      return { answer: undefined, changes: [...withdrawals(state), turnChange(run), statusChange(status)] }
    },
    { txid: owner.txid, owner },
  )
}
