/**
 * What a handler does in its turn: run the standard turn, reply, insert context.
 *
 * The handler may run a second time from the beginning, after a crash. Each act has a number by which it is found
 * again: the second reply is the message `….2`, runs are listed in the turn's row, context is recognized by its
 * identity. So nothing is said twice, and no model is paid twice for the same answer.
 */
import { blankMessage, Fault, type MessageId, type MessageRow } from "@parlor/protocol"
import type { NewContext, Ran } from "../agent/handler.ts"
import { Fenced } from "../log/decide.ts"
import { cleanText } from "../text/clean-json.ts"
import { textOf } from "../text/text-of.ts"
import { newContexts } from "./inserted.ts"
import { TurnProblem } from "./problem.ts"
import { addContexts, type LastStep, ofThisTurn, type Run, readMessage, remember, turnChange } from "./run.ts"
import { StopAsked } from "./stop-asked.ts"
import { replyId } from "./streamed-reply.ts"

/** `number`: how many runs of this turn came before. */
export async function runStandard(run: Run, number: number, steps: () => Promise<LastStep>): Promise<Ran> {
  const { parts } = run
  const earlier = (run.turn.runs ?? [])[number]
  if (earlier !== undefined)
    return { message: earlier, text: textOf((await readMessage(run.node, parts, earlier))?.parts ?? []) }
  try {
    const { last, row } = await steps()
    parts.abort.signal.throwIfAborted()
    run.turn = { ...run.turn, runs: [...(run.turn.runs ?? []), row.id] }
    await parts.write([...last, turnChange(run)])
    remember(run, row)
    run.reply = undefined
    return { message: row.id, text: textOf(row.parts) }
  } catch (error) {
    if (!parts.abort.signal.aborted && isMendable(error)) await breakOff(run)
    throw error
  }
}

/** `number`: from 1. */
export async function reply(run: Run, number: number, given: string): Promise<Ran> {
  const { node, parts } = run
  const id = replyId(run, number)
  const earlier = parts.recovered ? await readMessage(node, parts, id) : undefined
  if (earlier !== undefined) return { message: id, text: textOf(earlier.parts) }
  if (typeof given !== "string" || given.trim() === "")
    throw new TurnProblem("handler.failed", "ctx.reply needs a text that is not empty.")
  const { maxAnswerChars } = node.settings
  if (given.length > maxAnswerChars)
    throw new TurnProblem("handler.failed", `A reply has at most ${maxAnswerChars} characters.`)
  const text = cleanText(given)
  await add(run, { ...blank(run), id, role: "agent", parts: [{ type: "text", text }] })
  return { message: id, text }
}

/** Before the first reply it belongs to the message; afterwards it is a message of its own after the latest reply. */
export async function insertContext(run: Run, context: NewContext): Promise<void> {
  const { node, message } = run
  if (message !== undefined && !hasSpoken(run)) return addContexts(run, message, [context])
  const parts = newContexts([context], ofThisTurn(run))
  if (parts.length === 0) return
  const from = { scheduleId: null, deliveryId: null, headers: null, subject: null }
  const trigger = { source: "self", firedAt: node.clock.now(), ...from } as const
  await add(run, { ...blank(run), id: node.ids.next("msg") as MessageId, role: "person", parts: [...parts], trigger })
}

/** Or there are so many replies that the message itself is no longer shown. */
function hasSpoken({ history, message, turn }: Run): boolean {
  const isShown = history.some(({ id }) => id === message?.id)
  return !isShown || history.some((one) => one.turn === turn.id && one.role === "agent" && one.state !== "failed")
}

async function add(run: Run, row: MessageRow): Promise<void> {
  await run.parts.write([{ collection: "messages", key: row.id, operation: "insert", row }])
  remember(run, row)
}

function blank(run: Run): Omit<MessageRow, "id" | "role" | "parts"> {
  const ord = (run.history.at(-1)?.ord ?? 0) + 1
  return { ...blankMessage, ord, turn: run.turn.id, state: "done", at: run.node.clock.now() }
}

/** The handler may catch the error and continue: then the reply so far stays, marked. */
async function breakOff(run: Run): Promise<void> {
  const last = (await run.reply?.seal("failed")) ?? []
  const row = run.reply?.row("failed")
  run.reply = undefined
  await run.parts.write([...last, turnChange(run)])
  if (last.length > 0 && row !== undefined) remember(run, row)
}

function isMendable(error: unknown): boolean {
  return !(error instanceof Fenced || error instanceof Fault || error instanceof StopAsked)
}
