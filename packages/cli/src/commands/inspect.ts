/** `parlor inspect`: the turns of a conversation and their exact prompts (LOG-15). */
import type { Conversation } from "@parlor/client"
import { Complaint } from "../complaint.ts"
import { glanceLines, promptLines, turnLines } from "../inspect-lines.ts"
import { plainJson } from "../plain.ts"
import { type ConversationOptions, conversationOf } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

/** Stands for the id of the newest turn. */
const LAST = "last"

export type InspectOptions = ConversationOptions & {
  readonly terminal: Terminal
  readonly limit?: string
  readonly prompt?: string
  readonly json?: boolean
}

export async function inspect(turn: string | undefined, options: InspectOptions): Promise<number> {
  const conversation = await conversationOf(options)
  return turn === undefined ? list(conversation, options) : one(conversation, turn, options)
}

async function list(conversation: Conversation, { terminal, limit, json }: InspectOptions): Promise<number> {
  const { turns } = await conversation.inspect.turns(limit === undefined ? {} : { limit: Number(limit) })
  const lines = json ? turns.map((turn) => plainJson(JSON.stringify(turn))) : glanceLines(turns)
  for (const line of lines) await terminal.out(`${line}\n`)
  if (turns.length === 0 && !json) terminal.note("There are no turns yet.")
  return 0
}

async function one(conversation: Conversation, named: string, options: InspectOptions): Promise<number> {
  const { terminal, prompt, json } = options
  const step = prompt === undefined ? undefined : stepOf(prompt)
  const turn = named === LAST ? await newest(conversation) : named
  const inspected = await conversation.inspect.turn(turn, json && step === undefined ? {} : { step: step ?? 0 })
  if (json) {
    await terminal.out(`${plainJson(JSON.stringify(inspected))}\n`)
    return 0
  }
  const wanted = inspected.steps.find(({ number }) => number === step)
  if (step !== undefined && wanted === undefined) throw new Complaint(`The turn has no step ${step}.`)
  const lines = wanted === undefined ? turnLines(inspected) : promptLines(wanted)
  for (const line of lines) await terminal.out(`${line}\n`)
  return 0
}

async function newest(conversation: Conversation): Promise<string> {
  const [turn] = (await conversation.inspect.turns({ limit: 1 })).turns
  if (turn === undefined) throw new Complaint("There are no turns yet.")
  return turn.id
}

function stepOf(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new Complaint(`"${text}" is not a step number.`)
  return number
}
