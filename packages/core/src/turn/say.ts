/**
 * The model's part of a step: its text and its tool calls. However it ends, its prompt and result are recorded in the
 * turn's row (LOG-15).
 */
import type { MessageRow } from "@parlor/protocol"
import { fittingTokens } from "../compaction/when.ts"
import type { Brief } from "../context/brief.ts"
import { newestMessages } from "../context/newest.ts"
import { leftOutChars, maxPartChars, shortenParts } from "../context/shorten.ts"
import { promptChars } from "../context/size.ts"
import { keepBrief } from "../inspector/brief.ts"
import { beginNoting } from "../inspector/noting.ts"
import type { Reply } from "../model-call/reply.ts"
import { tryModel } from "../model-call/try-model.ts"
import { type Run, remember, turnChange } from "./run.ts"

/** `cut`: the reply of the step if it was interrupted. */
export async function say(run: Run, cut: MessageRow | undefined): Promise<Reply> {
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
  const told = { brief: summed(run), history: sent, message: run.message }
  const returnTo = { turn: run.turn.id, afterOrd: run.archive?.madeOrd ?? 0 }
  const asking = Object.assign({}, parts, { turn: run.turn, cut, returnTo, began, noting, ...told })
  try {
    const { reply, usage, promptTokens } = await tryModel(node, asking)
    reply.usage = usage
    if (promptTokens > 0) reply.prompt = { chars: promptChars({ ...prompt, messages: sent }), tokens: promptTokens }
    if (most !== undefined) reply.notice("context.shortened", shortenedNotice(leftOutChars(shown, most)))
    return reply
  } finally {
    const step = noting.note({ brief: typeof kept === "string" ? kept : await kept, ...noted }) ?? run.turn.step
    run.turn = { ...run.turn, step }
    if (run.reply !== undefined) run.reply.along = [turnChange(run)]
    // Steering messages have a place in the conversation: the next reply comes after them.
    for (const row of abandoned) remember(run, row)
  }
}

function shortenedNotice(chars: number): string {
  return `The conversation is too large for the model: ${chars} characters of its longest messages were left out.`
}

function summed({ brief, archive }: Run): Brief {
  return archive === undefined ? brief : { ...brief, summary: archive.summary }
}
