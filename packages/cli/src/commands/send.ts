import { text as readAll } from "node:stream/consumers"
import { type Conversation, composed, type Parlor, ParlorError } from "@parlor/client"
import type { SendBody, Sent } from "@parlor/protocol"
import { Answer, type Ending } from "../answer.ts"
import { attachFiles } from "../attach-files.ts"
import { Complaint, explain } from "../explain.ts"
import { referencesFor } from "../references.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type SendOptions = ConnectionOptions & {
  readonly agent?: string
  readonly branch: string
  readonly wait: boolean
  /** Guests that answer instead, in this order. */
  readonly guest?: readonly string[]
  /** Files to attach. */
  readonly attach?: readonly string[]
  readonly terminal: Terminal
}

const DEFAULT_AGENT = "host"
const INTERRUPTED = 130

export async function send(words: readonly string[], options: SendOptions): Promise<number> {
  const { terminal } = options
  const parlor = connect(options)
  const files = options.attach ?? []
  const { agent, text } = await readLine(parlor, words, options.agent, { mayBeEmpty: files.length > 0 })
  const conversation = parlor.conversation(agent, options.branch)
  const references = await referencesFor(parlor, conversation, text)
  const attachments = await attachFiles(parlor, files)
  const sent = await sendOrBegin(conversation, composed(text, { ...references, attachments }), options)
  if (sent.outcome === "queued") terminal.note(`queued at position ${sent.place ?? "unknown"}`)
  return options.wait ? printAnswer(conversation, sent, terminal) : 0
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
): Promise<{ readonly agent: string; readonly text: string }> {
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
  return { agent: agent ?? DEFAULT_AGENT, text }
}

async function printAnswer(conversation: Conversation, sent: Sent, terminal: Terminal): Promise<number> {
  const answer = new Answer(sent, conversation.agent)
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
      return finish(ending, stopping.wasAsked(), terminal)
    }
    return INTERRUPTED
  } finally {
    stopping.end()
  }
}

function finish(ending: Ending, wasStoppedHere: boolean, terminal: Terminal): number {
  if (ending.state === "done") return 0
  if (ending.state === "stopped") {
    terminal.note("Stopped.")
    return wasStoppedHere ? INTERRUPTED : 1
  }
  if (ending.state === "removed") terminal.note("The message was removed from the queue.")
  else terminal.note(`The turn ${ending.state}${ending.detail ? `: ${ending.detail}` : "."}`)
  return 1
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
