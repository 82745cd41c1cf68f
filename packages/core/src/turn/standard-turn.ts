/**
 * The standard turn, top to bottom.
 *
 *   prepare ─▶ skills ─▶ steering ─▶ budgets ─▶ room ─▶ model ─▶ tools ─┬─ none were called ─▶ end
 *                           ▲                                           │
 *                           └──────────────── saved ◀───────────────────┘
 *
 * A compaction, the agent's own handler, or the harness of a hosted agent may replace its steps; a handler may run them
 * as well (CMP-12). Whatever aborts it throws: `brokenOff` determines how the turn ends then, and the reply so far is kept (TRN-5).
 *
 * The turn does not write its own end. It returns how it ended, and `drive/drive.ts` writes that together with what
 * comes next, in one decision.
 */
import {
  addUsage,
  emptyUsage,
  Fault,
  type MessageRow,
  type NewChange,
  type ProblemNote,
  Refusal,
  type TurnRow,
} from "@parlor/protocol"
import type { Skill } from "../agent/skill.ts"
import { ask } from "../ask/ask.ts"
import { isGranted } from "../ask/grants.ts"
import { Fenced } from "../log/decide.ts"
import { replyFrom } from "../model-call/begin-reply.ts"
import { faultNote } from "../model-call/fault-note.ts"
import { handOverPoint, orHandedOver } from "../model-call/hand-over.ts"
import { TooManyCalls } from "../model-call/permit.ts"
import type { Reply } from "../model-call/reply.ts"
import { ModelFault } from "../ports/model.ts"
import { skillContexts } from "../skill/skills.ts"
import { SKILL_OWNER } from "../skill/skills-of.ts"
import { textOf } from "../text/text-of.ts"
import { keepContent } from "../workspace/content.ts"
import { keepWithinBudget } from "./budget.ts"
import { compactWhenFull, runCompaction } from "./compact.ts"
import { keepWithinDay } from "./day-budget.ts"
import { runHandler } from "./handle.ts"
import { runHarness } from "./harness-turn.ts"
import { lentContexts } from "./lent.ts"
import { TurnProblem } from "./problem.ts"
import {
  addContexts,
  isUnattended,
  type LastStep,
  prepareRun,
  type Run,
  remember,
  type TurnInput,
  takeCut,
  turnChange,
} from "./run.ts"
import { say } from "./say.ts"
import { isSteered, takeSteering } from "./steer.ts"
import { StopAsked } from "./stop-asked.ts"
import { toolAccess } from "./tool-access.ts"
import { runTools } from "./tools.ts"
import type { TurnEnd } from "./turn.ts"
import type { TurnAccess } from "./turn-access.ts"

/** For a whole turn, however often its handler runs the standard turn. */
const MAX_STEPS = 64

export type Finished = {
  readonly turn: TurnRow
  readonly end: TurnEnd
  /** Changes still to be written, together with the end. */
  readonly last: readonly NewChange[]
  readonly said: string
  /** A message that steers it now keeps it from ending (TRN-9). */
  readonly steerable: boolean
}

/** `finish` writes the end. Undefined: a message steers the turn, so it continues although the model has finished. */
export async function runTurn<T>(
  node: TurnAccess,
  parts: TurnInput,
  finish: (finished: Finished) => Promise<T | undefined>,
): Promise<{ readonly finished: Finished; readonly next: T }> {
  const prepared: { run: Run | undefined } = { run: undefined }
  for (;;) {
    const finished = await toItsEnd(node, parts, prepared)
    const next = await finish(finished)
    if (next !== undefined) return { finished, next }
    if (prepared.run !== undefined) await saveStep(prepared.run, finished.last)
  }
}

async function toItsEnd(node: TurnAccess, parts: TurnInput, prepared: { run: Run | undefined }): Promise<Finished> {
  try {
    prepared.run ??= await prepareRun(node, parts)
    const said = await carryOut(prepared.run)
    return { turn: prepared.run.turn, end: { state: "done" }, ...said }
  } catch (error) {
    const { run } = prepared
    return { turn: run?.turn ?? parts.turn, ...(await brokenOff(node, error, parts.abort.signal, run?.reply)) }
  }
}

async function carryOut(run: Run): Promise<Pick<Finished, "last" | "said" | "steerable">> {
  if (run.turn.compaction !== null) {
    await runCompaction(run)
    return { last: [], said: "", steerable: false }
  }
  const { speaker, author } = run.brief
  // A guest only answers: its handler belongs to its own conversations.
  const isGuest = author !== ""
  if (speaker.handler !== undefined && !isGuest) {
    const said = await runHandler(run, speaker.handler, () => runStepsSteered(run))
    return { last: [], said, steerable: false }
  }
  if (speaker.harness !== undefined) {
    // It would see nothing of the conversation, and work in the files of another agent.
    if (isGuest) throw new TurnProblem("agent.hosted", `${speaker.name} is a hosted agent and cannot be a guest.`)
    return { ...(await runHarness(run, speaker.harness)), steerable: true }
  }
  const { last, row } = await runSteps(run)
  return { last, said: textOf(row.parts), steerable: true }
}

/** Steps until the model calls no more tools. The last one is not saved here: it is written with what comes next. */
async function runSteps(run: Run): Promise<LastStep> {
  if (run.message !== undefined) await insertSkills(run, run.message)
  while (run.turn.steps < MAX_STEPS) {
    const reply = resumedReply(run) ?? (await nextReply(run))
    const calledTools = await useTools(run, reply)
    const step = await endStep(run, reply)
    if (!calledTools) return step
    await saveStep(run, step.last)
  }
  const detail = `The agent took ${MAX_STEPS} steps without finishing and was stopped.`
  throw new TurnProblem("turn.too-many-steps", detail)
}

/** A reply whose model call had finished before a crash: only its tools are left to run (TRN-7). */
function resumedReply(run: Run): Reply | undefined {
  const { resume } = run
  if (resume === undefined) return undefined
  run.resume = undefined
  run.reply = replyFrom(run.parts, resume)
  run.reply.usage = resume.usage
  return run.reply
}

/** What happens between two steps, then the model call. */
async function nextReply(run: Run): Promise<Reply> {
  handOverPoint(run.node, run.brief)
  const cut = takeCut(run)
  // A repeated call has the same prompt: a message that steers joins at the next step.
  if (run.turn.steps > 0 && cut === undefined) await joinSteering(run)
  await keepWithinBudget(run)
  await keepWithinDay(run)
  const failed = await compactWhenFull(run)
  const reply = await say(run, cut)
  if (failed !== undefined) reply.notice("compaction.failed", `Older messages could not be summarized: ${failed}`)
  return reply
}

/** Runs the tools the model called. True if there were any: the model then has to see the results. */
function useTools(run: Run, reply: Reply): Promise<boolean> {
  const { node, parts, brief, turn } = run
  const { owner } = parts
  const { signal } = parts.abort
  return runTools({
    brief,
    address: owner.address,
    turn,
    reply,
    signal,
    clock: node.clock,
    unattended: isUnattended(run),
    ask: (asked, { mayHandOver }) => {
      const asking = ask(node, { owner, turn, signal }, asked)
      return mayHandOver ? orHandedOver(node, signal, asking) : asking
    },
    isGranted: (tool) => isGranted(node, owner.address, { agent: brief.speaker.name, tool }),
    handOverPoint: () => handOverPoint(node, brief),
    access: (call, signal, ask) => toolAccess(run, call, signal, ask),
    keep: async (content) => (await keepContent(node, owner.stream, content)).hash,
  })
}

async function endStep(run: Run, reply: Reply): Promise<LastStep> {
  const { signal } = run.parts.abort
  signal.throwIfAborted()
  const last = await reply.seal("done")
  signal.throwIfAborted()
  const usage = addUsage(run.turn.usage, reply.usage ?? emptyUsage)
  run.turn = { ...run.turn, steps: run.turn.steps + 1, usage }
  const row = reply.row("done")
  remember(run, row)
  return { last, row }
}

/** A step is saved before the next begins (TRN-6). */
async function saveStep(run: Run, last: readonly NewChange[]): Promise<void> {
  await run.parts.write([...last, turnChange(run)])
  run.reply = undefined
}

/** For a handler, whose run ends before its turn does: a message that steers now is still answered in it (TRN-9). */
async function runStepsSteered(run: Run): Promise<LastStep> {
  for (;;) {
    const done = await runSteps(run)
    if (!(await isSteered(run.node, run.parts.owner))) return done
    await saveStep(run, done.last)
  }
}

/** A message that joins brings its commands with it: no message's commands are missed (CMP-9, CMP-11). */
async function joinSteering(run: Run): Promise<void> {
  for (const message of await takeSteering(run.node, run.parts.owner)) {
    remember(run, message)
    await insertSkills(run, message)
  }
}

async function insertSkills(run: Run, message: MessageRow): Promise<void> {
  if (message.composer === null || run.brief.author !== "") return
  const skills = run.skills.length > 0 ? skillContexts(run.skills.filter(hasCommand(run)), message.composer) : []
  await addContexts(run, message, [...skills, ...(await lentContexts(run, message))])
}

/** A command that the handler registered under the name of a skill means what the handler says (CMP-18). */
function hasCommand({ commands }: Run): (skill: Skill) => boolean {
  return ({ name }) => {
    const owner = commands.get(name)?.owner ?? null
    return owner === null || owner === SKILL_OWNER
  }
}

/** How an aborted turn ends. The reply so far is kept (TRN-5). */
async function brokenOff(
  node: TurnAccess,
  error: unknown,
  signal: AbortSignal,
  reply: Reply | undefined,
): Promise<Omit<Finished, "turn">> {
  const cause = signal.aborted ? signal.reason : error
  if (cause instanceof Fenced || cause instanceof Fault) throw cause
  const said = reply ? textOf(reply.parts) : ""
  if (cause instanceof StopAsked) {
    const last = (await reply?.seal("truncated")) ?? []
    return { end: { state: "stopped", onQueue: cause.onQueue, next: cause.next }, last, said, steerable: false }
  }
  const last = (await reply?.seal("failed")) ?? []
  const end = { state: "failed", error: noteOf(node, cause), ...passing(cause) } as const
  return { end, last, said, steerable: false }
}

/** Only faults that pass by themselves are worth another try: what a handler or a tool did is not done twice (TRN-23). */
function passing(error: unknown): { readonly isPassing: boolean; readonly retryAfterMs?: number | undefined } {
  if (error instanceof ModelFault) return { isPassing: error.transient, retryAfterMs: error.retryAfterMs }
  return { isPassing: error instanceof TooManyCalls }
}

function noteOf(node: TurnAccess, error: unknown): ProblemNote {
  if (error instanceof ModelFault) return faultNote(error)
  if (error instanceof Refusal || error instanceof TurnProblem || error instanceof TooManyCalls)
    return { code: error.code, detail: error.message }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
  node.log.error("turn failed", { reason })
  return { code: "bug", detail: "Something went wrong in Parlor while answering." }
}
