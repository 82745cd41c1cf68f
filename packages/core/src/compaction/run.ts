/** Compacts as part of a turn: by itself when the window is full, or as the turn's whole work when it was commanded. */
import { addUsage, type Usage } from "@parlor/protocol"
import { ModelFault } from "../ports/model.ts"
import { keepWithinDay } from "../turn/day-budget.ts"
import type { Run } from "../turn/run.ts"
import { spenderOf } from "../turn/spender.ts"
import type { Spender } from "../usage/permit.ts"
import { archive, lastUsage, show } from "./archive.ts"
import { archivedCount, archivedSteps, isFull } from "./when.ts"

/** Turns that stay as they are when it happens by itself. */
const KEEP_TURNS = 2

/** The whole of a commanded compaction. With nothing to sum up it is done at once. */
export async function runCompaction(run: Run): Promise<void> {
  const { window } = run.brief.speaker.model
  const keepTurns = run.turn.compaction?.keepTurns ?? KEEP_TURNS
  const count = archivedCount(run.history, { keepTurns, window, running: null })
  if (count === 0) return
  await keepWithinDay(run)
  await archiveFirst(run, count)
}

/**
 * Before a step: when the provider's count says the window is full, what came before the last turns is summed up. A
 * summary that cannot be made leaves the conversation as it was, and the turn goes on with what fits.
 */
export async function compactWhenFull(run: Run): Promise<void> {
  const { node, parts, brief, history } = run
  const { model } = brief.speaker
  if (!isFull(model, countedSince(run))) return
  const whole = archivedCount(history, { keepTurns: KEEP_TURNS, window: model.window, running: run.turn.id })
  const count = whole > 0 ? whole : archivedSteps(history, model.window)
  if (count === 0) return
  const { signal } = parts.abort
  try {
    await archiveFirst(run, count)
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelFault)) throw error
    node.log.warn("could not compact", { agent: brief.speaker.name, reason: error.message })
  }
  await show(node, parts.drive, "turn")
}

/** What a provider counted before the last compaction says nothing about the window now. */
function countedSince({ history, archive }: Run): Usage | null {
  return lastUsage(archive === undefined ? history : history.filter(({ at }) => at > archive.archivedAt))
}

async function archiveFirst(run: Run, count: number): Promise<void> {
  const { node, parts, brief, history } = run
  const stretch = {
    messages: history.slice(0, count),
    kept: history.slice(count),
    before: run.archive?.summary ?? "",
  }
  const { signal } = parts.abort
  const { name: agent, model } = brief.speaker
  const of = { drive: parts.drive, turn: run.turn, agent, message: run.message }
  const spender: Spender = { ...spenderOf(node, of), source: "compaction" }
  const made = await archive(node, parts.drive, { spender, model, stretch, signal })
  run.archive = made.archive
  run.turn = { ...run.turn, usage: addUsage(run.turn.usage, made.usage) }
  history.splice(0, count)
}
