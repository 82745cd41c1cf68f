/**
 * The standard turn: skills, then steps until there is nothing more to do.
 *
 *   steer? ─▶ budgets? ─▶ full? compact ─▶ model ─▶ tools ─▶ saved ─┐   fault: retry after a while, then the fallback
 *     ▲                                                             │   model
 *     └──────────── more to do ◀───────────────────────────────────┴──▶ done
 *
 * The last step is not saved here: whoever asked writes it with what comes next, in one go.
 */
import { addUsage, emptyUsage, type MessageRow, type NewChange, type Usage } from "@parlor/protocol"
import { ask } from "../ask/ask.ts"
import { fittingTokens } from "../compaction/when.ts"
import type { Brief } from "../context/brief.ts"
import { newestMessages } from "../context/newest.ts"
import { leftOutChars, maxPartChars, shortenParts } from "../context/shorten.ts"
import { promptChars } from "../context/size.ts"
import { keepBrief } from "../inspector/brief.ts"
import { beginNoting } from "../inspector/noting.ts"
import { replyFrom } from "../model-call/begin-reply.ts"
import type { Reply } from "../model-call/reply.ts"
import { tryModel } from "../model-call/try-model.ts"
import { skillContexts } from "../skill/skills.ts"
import { keepContent } from "../workspace/content.ts"
import { keepWithinBudget } from "./budget.ts"
import { compactWhenFull } from "./compact.ts"
import { keepWithinDay } from "./day-budget.ts"
import { lentContexts } from "./lent.ts"
import { TurnProblem } from "./problem.ts"
import { addContexts, type Run, remember } from "./run.ts"
import { isSteered, takeSteering } from "./steer.ts"
import { runTools } from "./tools.ts"

/** Of a whole turn, however often its handler runs the standard turn. */
const MAX_STEPS = 64

export type LastStep = {
  /** Changes still to be written. */
  readonly last: readonly NewChange[]
  readonly row: MessageRow
}

export async function runSteps(run: Run): Promise<LastStep> {
  if (run.message !== undefined) await insertSkills(run, run.message)
  while (run.turn.steps < MAX_STEPS) {
    const { last, calledTools, row } = await step(run)
    remember(run, row)
    if (!calledTools) return { last, row }
    await saveStep(run, last)
  }
  const detail = `The agent took ${MAX_STEPS} steps without finishing and was stopped.`
  throw new TurnProblem("turn.too-many-steps", detail)
}

/** For a handler, whose run ends before its turn does: a message that steers now is still answered in it (TRN-9). */
export async function runStepsSteered(run: Run): Promise<LastStep> {
  for (;;) {
    const done = await runSteps(run)
    if (!(await isSteered(run.node, run.parts.owner))) return done
    await saveStep(run, done.last)
  }
}

/** A step is saved before the next begins (TRN-6). */
export async function saveStep(run: Run, last: readonly NewChange[]): Promise<void> {
  await run.parts.write([...last, turnChange(run)])
  run.reply = undefined
}

async function step(run: Run): Promise<LastStep & { readonly calledTools: boolean }> {
  const { node, parts, brief } = run
  const { owner } = parts
  const { signal } = parts.abort
  const { resume } = run
  let usage = resume?.usage ?? null
  if (resume !== undefined) run.reply = replyFrom(parts, resume)
  else {
    if (run.turn.steps > 0) await joinSteering(run)
    await keepWithinBudget(run)
    await keepWithinDay(run)
    const failed = await compactWhenFull(run)
    usage = await say(run)
    if (failed !== undefined)
      run.reply?.notice("compaction.failed", `Older messages could not be summarized: ${failed}`)
  }
  run.resume = undefined
  const reply = run.reply as Reply
  reply.usage = usage
  const calledTools = await runTools({
    brief,
    address: owner.address,
    turn: run.turn,
    reply,
    signal,
    clock: node.clock,
    unattended: isUnattended(run),
    ask: (asked) => ask(node, { owner, turn: run.turn, signal }, asked),
    keep: async (content) => (await keepContent(node, owner.stream, content)).hash,
  })
  if (signal.aborted) throw signal.reason
  const last = await reply.seal("done")
  if (signal.aborted) throw signal.reason
  run.turn = { ...run.turn, steps: run.turn.steps + 1, usage: addUsage(run.turn.usage, usage ?? emptyUsage) }
  return { last, row: reply.row("done"), calledTools }
}

/** The model's part of a step. However it ends, what it was told and how it went is noted in the turn's row (LOG-15). */
async function say(run: Run): Promise<Usage> {
  const { node, parts, brief } = run
  const { model, maxMessages } = brief.speaker
  const shown = newestMessages(run.history, maxMessages)
  const prompt = { brief, archive: run.archive, messages: shown, window: model.window }
  const most = maxPartChars(prompt, fittingTokens(model))
  const sent = most === undefined ? shown : shortenParts(shown, most)
  const kept = keepBrief(node, parts.owner.stream, brief, parts.owner.address.agent)
  const noting = beginNoting(node.clock)
  const abandoned: MessageRow[] = []
  const began = (reply: Reply | undefined) => {
    if (reply === undefined && run.reply?.started) abandoned.push(run.reply.row("failed"))
    run.reply = reply
  }
  const noted = {
    shown,
    number: (run.turn.step?.number ?? 0) + 1,
    archive: run.archive?.id ?? null,
    questionParts: run.message?.parts.length ?? 0,
    ...(most === undefined ? {} : { maxPartChars: most }),
  }
  const asking = { ...parts, turn: run.turn, brief: summed(run), history: sent, message: run.message, began, noting }
  try {
    const answered = await tryModel(node, asking)
    const tokens = answered.promptTokens
    if (run.reply !== undefined && tokens > 0)
      run.reply.prompt = { chars: promptChars({ ...prompt, messages: sent }), tokens }
    if (most !== undefined) run.reply?.notice("context.shortened", shortenedNotice(leftOutChars(shown, most)))
    return answered.usage
  } finally {
    const step = noting.note({ ...noted, brief: typeof kept === "string" ? kept : await kept }) ?? run.turn.step
    run.turn = { ...run.turn, step }
    if (run.reply !== undefined) run.reply.along = [turnChange(run)]
    // They have a place in the conversation: what is said next comes after them.
    for (const row of abandoned) remember(run, row)
  }
}

function shortenedNotice(chars: number): string {
  return `The conversation is too large for the model: ${chars} characters of its longest messages were left out.`
}

function turnChange({ turn }: Run): NewChange {
  return { collection: "turns", key: turn.id, operation: "update", row: turn }
}

function summed({ brief, archive }: Run): Brief {
  return archive === undefined ? brief : { ...brief, summary: archive.summary }
}

/** A message that joins brings its commands with it: no message's are missed (CMP-9, CMP-11). */
async function joinSteering(run: Run): Promise<void> {
  for (const message of await takeSteering(run.node, run.parts.owner)) {
    remember(run, message)
    await insertSkills(run, message)
  }
}

async function insertSkills(run: Run, message: MessageRow): Promise<void> {
  if (message.composer === null || run.brief.author !== "") return
  const skills = run.skills.length > 0 ? skillContexts(run.skills, message.composer) : []
  await addContexts(run, message, [...skills, ...(await lentContexts(run, message))])
}

/** Nobody is at the keyboard: an ask is a no (TRN-13). */
export function isUnattended({ brief, message }: Run): boolean {
  const trigger = message?.trigger ?? null
  return trigger !== null && !(brief.speaker.asksWhenTriggered ?? false)
}
