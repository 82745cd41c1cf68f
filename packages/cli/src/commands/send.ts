import { text as readAll } from "node:stream/consumers"
import { type Conversation, type Parlor, ParlorError } from "@parlor/client"
import { composed } from "@parlor/client/composer"
import type { SendBody, Sent } from "@parlor/protocol"
import { Answer, type Ending } from "../answer.ts"
import { attachFiles } from "../attach-files.ts"
import { Complaint } from "../complaint.ts"
import { exitCodes } from "../exit-codes.ts"
import { explain } from "../explain.ts"
import { referencesFor } from "../references.ts"
import { type ConversationOptions, connect, firstAgent, hint } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type SendOptions = ConversationOptions & {
  readonly wait: boolean
  /** Guests that answer instead, in this order. */
  readonly guest?: readonly string[]
  /** Files to attach. */
  readonly attach?: readonly string[]
  readonly terminal: Terminal
}

export async function send(words: readonly string[], options: SendOptions): Promise<number> {
  const { terminal } = options
  const parlor = connect(options)
  const files = options.attach ?? []
  const { agent: said, text } = await readLine(parlor, words, options.agent, { mayBeEmpty: files.length > 0 })
  const agent = said ?? (await firstAgent(parlor))
  const conversation = parlor.conversation(agent, options.branch)
  const references = await referencesFor(parlor, conversation, text)
  const attachments = await attachFiles(parlor, files)
  const sent = await sendOrBegin(conversation, composed(text, { ...references, attachments }), options)
  const askHint = hint("ask", { agent: said, branch: options.branch })
  if (sent.outcome === "queued" && !terminal.isJson) terminal.note(`queued at position ${sent.place ?? "unknown"}`)
  if (terminal.isJson) await terminal.report("", sent)
  if (!options.wait) return exitCodes.done
  const answer = new Answer(sent, conversation.agent, askHint)
  return terminal.isJson
    ? printJson(conversation, sent, answer, terminal)
    : printAnswer(conversation, sent, answer, terminal)
}

/** A branch that does not exist yet is created. The note is there because the name may be a typo. */
async function sendOrBegin(
  conversation: Conversation,
  body: SendBody,
  { guest, terminal }: Pick<SendOptions, "guest" | "terminal">,
): Promise<Sent> {
  const guests = guest === undefined ? {} : { guests: guest }
  try {
    return await conversation.send(body, guests)
  } catch (error) {
    if (!(error instanceof ParlorError && error.code === "conversation.unknown")) throw error
    await conversation.make()
    terminal.note(`Starting a new conversation: ${conversation.agent}/${conversation.branch}.`)
    return conversation.send(body, guests)
  }
}

/**
 * The agent and the text. The first of several words is the agent if there is one of that name, so that a sentence
 * needs no quotes.
 */
export async function readLine(
  parlor: Pick<Parlor, "agents">,
  words: readonly string[],
  named: string | undefined,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Promise<{ readonly agent: string | undefined; readonly text: string }> {
  const [first, ...others] = words
  let agent = named
  let said = words
  if (agent === undefined && first !== undefined && others.length > 0) {
    const isAgent = (await parlor.agents()).some((known) => known.name === first)
    if (isAgent) {
      agent = first
      said = others
    }
  }
  const text = said.length === 1 && said[0] === "-" ? await readAll(process.stdin) : said.join(" ")
  if (text.trim() === "" && !mayBeEmpty)
    throw new Complaint("The message is empty. Write it after the command, or pipe it in and pass -.")
  return { agent, text }
}

/** The events of the turn, then how it ended. */
async function printJson(conversation: Conversation, sent: Sent, answer: Answer, terminal: Terminal): Promise<number> {
  const leaving = new AbortController()
  const stopping = interrupts(conversation, answer, terminal, leaving)
  try {
    for await (const changes of conversation.follow({ offset: sent.offset, signal: leaving.signal })) {
      for (const change of changes) await terminal.report("", change)
      const { ending } = answer.read(changes)
      if (ending !== undefined) return codeOf(ending, stopping.wasAsked())
    }
    return exitCodes.interrupted
  } finally {
    stopping.end()
  }
}

async function printAnswer(
  conversation: Conversation,
  sent: Sent,
  answer: Answer,
  terminal: Terminal,
): Promise<number> {
  const leaving = new AbortController()
  const stopping = interrupts(conversation, answer, terminal, leaving)
  try {
    for await (const changes of conversation.follow({ offset: sent.offset, signal: leaving.signal })) {
      const wasMidLine = answer.isMidLine
      const { text, notes, ending } = answer.read(changes)
      if (notes.length > 0 && wasMidLine && terminal.isInteractive) await terminal.out("\n")
      for (const note of notes) terminal.note(`[${note}]`)
      await terminal.out(text)
      if (ending === undefined) continue
      if (answer.isMidLine) await terminal.out("\n")
      tell(ending, terminal)
      return codeOf(ending, stopping.wasAsked())
    }
    return exitCodes.interrupted
  } finally {
    stopping.end()
  }
}

function tell(ending: Ending, terminal: Terminal): void {
  if (ending.state === "done") return
  if (ending.state === "stopped") terminal.note("Stopped.")
  else if (ending.state === "removed") terminal.note("The message was removed from the queue.")
  else terminal.note(`The turn ${ending.state}${ending.detail ? `: ${ending.detail}` : "."}`)
}

function codeOf({ state }: Ending, wasStoppedHere: boolean): number {
  if (state === "done") return exitCodes.done
  if (state === "stopped") return wasStoppedHere ? exitCodes.interrupted : exitCodes.turnStopped
  return state === "removed" ? exitCodes.turnStopped : exitCodes.turnFailed
}

/** The first Ctrl-C stops the turn, the second leaves. */
function interrupts(conversation: Conversation, answer: Answer, terminal: Terminal, leaving: AbortController) {
  let count = 0
  const end = terminal.onInterrupt(() => {
    count += 1
    if (count > 1) {
      leaving.abort()
      return
    }
    if (answer.turn === undefined) terminal.note("\nThe message stays queued. Press Ctrl-C again to leave.")
    else void stop(conversation, answer.turn, terminal)
  })
  return { end, wasAsked: () => count > 0 }
}

async function stop(conversation: Conversation, turn: string, terminal: Terminal): Promise<void> {
  try {
    await conversation.stop({ turn })
  } catch (error) {
    if (error instanceof ParlorError && error.code === "turn.over") return
    terminal.note(explain(error))
  }
}
