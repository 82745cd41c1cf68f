/**
 * A chat without a terminal: lines in, text out. Each line is executed after the previous one was accepted; after the
 * last line it waits until the conversation is idle.
 */
import { createInterface } from "node:readline"
import type { LiveConversation, LiveState } from "@parlor/client"
import { askLines, howToAnswer } from "../asks.ts"
import { exitCodes } from "../exit-codes.ts"
import { exitCodeOf, explain } from "../explain.ts"
import { heldLine } from "../queue-lines.ts"
import type { Terminal } from "../terminal.ts"
import type { JsonTelling } from "./json-telling.ts"
import { readLine } from "./line.ts"
import { commandNames, perform } from "./perform.ts"
import { reached } from "./reached.ts"
import type { Telling } from "./telling.ts"

export type PipedChatParts = {
  readonly live: LiveConversation
  readonly telling: Pick<Telling, "tell" | "end"> | JsonTelling
  /** The command that lists open questions. */
  readonly askHint: string
  readonly input: NodeJS.ReadableStream
  readonly terminal: Terminal
  /** Agents that can be mentioned. */
  readonly agents: readonly string[]
}

export async function pipedChat(parts: PipedChatParts): Promise<number> {
  const { live, terminal } = parts
  await reached(live, (state) => state.phase !== "loading")
  const notes = new Notes(terminal)
  const show = (): void => {
    const state = live.getState()
    void terminal.out(parts.telling.tell(state))
    notes.show(state)
  }
  show()
  const leave = live.subscribe(show)
  const stopping = interrupts(live, terminal)
  try {
    await Promise.race([takeLines(parts), stopping.left, failed(live)])
    await terminal.out(parts.telling.end())
    const { phase, error, sending } = live.getState()
    if (phase === "failed") terminal.note(explain(error))
    for (const send of sending) terminal.note(`not delivered: ${send.text}`)
    if (phase === "failed") return exitCodeOf(error)
    return sending.length > 0 ? exitCodes.unreachable : stopping.code()
  } finally {
    leave()
    stopping.end()
  }
}

async function takeLines({ live, input, terminal, agents, askHint }: PipedChatParts): Promise<void> {
  for await (const line of createInterface({ input })) {
    const command = readLine(line, live.getState().asks, commandNames(live))
    if (command.kind === "quit") return
    await perform(command, live, (words) => terminal.note(words), agents)
  }
  await reached(live, isSettled)
  if (live.getState().asks.length > 0) terminal.note(`A question is still open: ${askHint} shows it.`)
}

/** The conversation is idle until somebody acts. */
function isSettled({ status, queue, sending, asks }: LiveState): boolean {
  if (status === null || sending.some((send) => send.state === "sending")) return false
  if (asks.length > 0 && status.state === "waiting") return true
  if (status.state !== "idle" && status.state !== "error") return false
  return status.held !== null || queue.every((row) => row.mode === "paused")
}

/** Notes about the conversation, each once. */
class Notes {
  readonly #terminal: Terminal
  readonly #asked = new Set<string>()
  #standing = ""

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  show({ asks, status, connection }: LiveState): void {
    for (const ask of asks) {
      if (this.#asked.has(ask.id)) continue
      this.#asked.add(ask.id)
      for (const line of askLines(ask)) this.#terminal.note(`? ${line}`)
      this.#terminal.note(`  answer: ${howToAnswer(ask, "/answer")}`)
    }
    const retrying = status?.state === "retrying" ? `retrying (attempt ${status.attempt ?? 1})` : ""
    const held = status?.held ? heldLine(status.held, "/resume") : ""
    this.#stand(connection === "offline" ? "offline, reconnecting" : retrying || held)
  }

  #stand(words: string): void {
    if (words === this.#standing) return
    this.#standing = words
    if (words !== "") this.#terminal.note(words)
  }
}

/** The first Ctrl-C stops the turn, the second leaves. */
function interrupts(live: LiveConversation, terminal: Terminal) {
  let count = 0
  let leave = (): void => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const end = terminal.onInterrupt(() => {
    count += 1
    if (count > 1) leave()
    else void perform({ kind: "stop" }, live, (words) => terminal.note(words))
  })
  return { end, left, code: () => (count > 1 ? exitCodes.interrupted : exitCodes.done) }
}

function failed(live: LiveConversation): Promise<void> {
  return reached(live, (state) => state.phase === "failed")
}
