/** Compacts as part of a turn: automatically when the window is full, or as the turn's only work when commanded. */
import { addUsage, type MessageRow } from "@parlor/protocol"
import { archive, show } from "../compaction/archive.ts"
import { stretchesBefore } from "../compaction/cover.ts"
import { pieceChars, type SummaryOptions } from "../compaction/summarize.ts"
import { archivedCount, archivedSteps, fittingTokens, KEEP_TURNS, keptChars, roomyTokens } from "../compaction/when.ts"
import { newestMessages } from "../context/newest.ts"
import { charsPerToken, promptTokens } from "../context/size.ts"
import { faultNote } from "../model-call/fault-note.ts"
import { showRetrying, showRunning, spenderOf } from "../model-call/spender.ts"
import { ModelFault } from "../ports/model.ts"
import { keepWithinDay } from "./day-budget.ts"
import { TurnProblem } from "./problem.ts"
import type { Run } from "./run.ts"

/** A commanded compaction. If there is nothing to summarize, it is done at once. */
export async function runCompaction(run: Run): Promise<void> {
  const keepTurns = run.turn.compaction?.keepTurns ?? KEEP_TURNS
  if (!run.isWhole) await keepWithinDay(run)
  await coverEarlier(run)
  const count = archivedCount(run.history, { keepTurns, room: roomOf(run), running: null })
  if (count === 0) return
  await keepWithinDay(run)
  await archiveFirst(run, count)
}

/**
 * Before a step: if the prompt would leave too little room for an answer, everything before the last turns is
 * summarized. If the summary fails, the conversation stays as it was; the turn continues with all of it if that fits,
 * and fails otherwise: nothing is silently dropped (CPT-13).
 *
 * Returns why it failed, if the turn continues anyway.
 */
export async function compactWhenFull(run: Run): Promise<string | undefined> {
  if (!isFull(run)) return undefined
  const { node, parts, brief } = run
  let failed: string | undefined
  try {
    await makeRoom(run)
  } catch (error) {
    if (parts.abort.signal.aborted || !(error instanceof ModelFault)) throw error
    node.log.warn("could not compact", { agent: brief.speaker.name, reason: error.message })
    if (isCut(run) || tokensNow(run) > fittingTokens(brief.speaker.model)) throw couldNot(error)
    failed = error.message
  }
  await show(node, parts.owner, "turn")
  return failed
}

async function makeRoom(run: Run): Promise<void> {
  await coverEarlier(run)
  const count = archivedCount(run.history, { keepTurns: KEEP_TURNS, room: roomOf(run), running: run.turn.id })
  if (count > 0 && isFull(run)) await archiveFirst(run, count)
  // The message the turn answers is not archived before a model has seen it: at the first step it is shortened instead.
  const steps = isFull(run) && run.turn.steps > 0 ? archivedSteps(run.history, roomOf(run)) : 0
  if (steps > 0) await archiveFirst(run, steps)
}

function isFull(run: Run): boolean {
  return isCut(run) || tokensNow(run) > roomyTokens(run.brief.speaker.model)
}

/** Messages since the last archive were not even read, although the agent does not limit its messages (CPT-9). */
function isCut({ isWhole, brief, history }: Run): boolean {
  return !isWhole && history.length < (brief.speaker.maxMessages ?? Number.POSITIVE_INFINITY)
}

/** The size of the next prompt. */
function tokensNow(run: Run, messages: readonly MessageRow[] = run.history): number {
  const { speaker } = run.brief
  const shown = newestMessages(messages, speaker.maxMessages)
  return promptTokens({ brief: run.brief, archive: run.archive, messages: shown, window: speaker.model.window })
}

function roomOf(run: Run): number {
  return keptChars(run.brief.speaker.model.window, measured(run))
}

/** Archives what is older than the messages that were read, in as many passes as needed; each is durable by itself. */
async function coverEarlier(run: Run): Promise<void> {
  const first = run.history[0]
  if (run.isWhole || first === undefined) return
  const bounds = { after: run.archive?.toOrd ?? 0, before: first.ord, chars: pieceChars(summaryOptions(run)) }
  for await (const messages of stretchesBefore(run.node.store, run.parts.owner.stream, bounds))
    await archiveStretch(run, messages)
  run.isWhole = true
}

async function archiveFirst(run: Run, count: number): Promise<void> {
  await archiveStretch(run, run.history.slice(0, count))
  run.history.splice(0, count)
}

async function archiveStretch(run: Run, messages: readonly MessageRow[]): Promise<void> {
  const { node, parts, history } = run
  const gone = new Set(messages)
  const stretch = {
    messages,
    before: run.archive?.summary ?? "",
    madeOrd: (history.at(-1) ?? (messages.at(-1) as MessageRow)).ord,
    tokensBefore: tokensNow(run),
    tokensKept: tokensNow(
      { ...run, archive: undefined },
      history.filter((message) => !gone.has(message)),
    ),
  }
  const made = await archive(node, parts.owner, stretch, summaryOptions(run))
  run.archive = made.archive
  run.turn = { ...run.turn, usage: addUsage(run.turn.usage, made.usage) }
}

function summaryOptions(run: Run): SummaryOptions {
  const { node, parts, brief } = run
  const { owner } = parts
  const { name: agent, model } = brief.speaker
  return {
    spender: { ...spenderOf(node, { owner, turn: run.turn, agent, message: run.message }), source: "compaction" },
    model,
    charsPerToken: measured(run),
    signal: parts.abort.signal,
    retrying: (attempt, retryAt, fault) =>
      showRetrying(node, owner, run.turn, { attempt, retryAt, error: faultNote(fault) }),
    running: () => showRunning(node, owner, run.turn),
  }
}

function measured({ brief, archive, history }: Run): number {
  return charsPerToken({ brief, archive, messages: history })
}

function couldNot(fault: ModelFault): TurnProblem {
  const detail =
    "The conversation is too long for the model, and its older messages could not be summarized: " +
    `${fault.message} Nothing was dropped. Try again, start a branch, or choose a model with a larger window.`
  return new TurnProblem("compaction.failed", detail, { cause: fault })
}
