/** Executes a typed line and reports the result. */
import type { LiveConversation, LiveState } from "@parlor/client"
import { composed, type ParseOptions, recomposed } from "@parlor/client/composer"
import { type SendBody, unreachable } from "@parlor/protocol"
import { findAsk, readAnswer } from "../asks.ts"
import { Complaint } from "../complaint.ts"
import { explain } from "../explain.ts"
import { heldLine, queuedId, queueLines } from "../queue-lines.ts"
import { type ChatCommand, helpWith } from "./line.ts"
import { reached } from "./reached.ts"

export type Doing = Exclude<ChatCommand, { readonly kind: "quit" }>

/** Where messages about a command go. */
export type Say = (words: string) => void

/** How long the stream may lag behind the response to a command. */
const SHOWN_MS = 2_000

/**
 * Never rejects: a refusal is reported. Returns whether it was done, once the state shows it, so that queue positions
 * in the next line are up to date.
 */
export async function perform(
  command: Doing,
  live: LiveConversation,
  say: Say,
  agents: readonly string[] = [],
): Promise<boolean> {
  try {
    const isShown = await act(command, live, say, { agents, commands: commandNames(live) })
    if (isShown) await reached(live, isShown, SHOWN_MS)
    return true
  } catch (error) {
    say(explain(error))
    return false
  }
}

/** Whether the state shows that it was done. */
type Shown = (state: LiveState) => boolean

/** The agent's slash commands. */
export function commandNames(live: LiveConversation): readonly string[] {
  return live.getState().slashCommands.map(({ name }) => name)
}

async function act(
  command: Doing,
  live: LiveConversation,
  say: Say,
  references: ParseOptions,
): Promise<Shown | undefined> {
  const { queue, asks, status } = live.getState()
  switch (command.kind) {
    case "nothing":
      return undefined
    case "wrong":
      throw new Complaint(command.detail)
    case "help":
      say(helpWith(live.getState().slashCommands))
      return undefined
    case "queue":
      list(live.getState(), say)
      return undefined
    case "send":
    case "steer":
      return send(command.kind, composed(command.text, references), live, say)
    case "edit":
      if (command.text === "") throw new Complaint("Usage: /edit N text")
      return retype(live, command.ref, command.text, references)
    case "move":
      return edit(live, command.ref, { [command.side]: queuedId(queue, command.anchor) })
    case "pause":
      return edit(live, command.ref, { mode: "paused" })
    case "release":
      return edit(live, command.ref, { mode: "immediate" })
    case "now": {
      const id = queuedId(queue, command.ref)
      await live.sendNow(id)
      return isGone(id)
    }
    case "remove": {
      const id = queuedId(queue, command.ref)
      await live.remove(id)
      return isGone(id)
    }
    case "hold":
      await live.hold()
      return (state) => (state.status?.held ?? null) !== null
    case "resume":
      await live.resume()
      return (state) => (state.status?.held ?? null) === null
    case "clear":
      say(`Removed ${(await live.clearQueue()).removed}.`)
      return (state) => queue.every((row) => isGone(row.id)(state))
    case "stop":
      await live.stop()
      return (state) => state.status?.turn !== status?.turn
    case "answer": {
      const ask = findAsk(asks, command.ref)
      await live.answer(ask.id, readAnswer(ask, command.text))
      return (state) => state.asks.every((open) => open.id !== ask.id)
    }
    default:
      return unreachable(command)
  }
}

async function edit(live: LiveConversation, ref: string, change: Parameters<LiveConversation["edit"]>[1]) {
  const id = queuedId(live.getState().queue, ref)
  const { version } = await live.edit(id, change)
  return (state: LiveState) => state.queue.every((row) => row.id !== id || row.version >= version)
}

function retype(live: LiveConversation, ref: string, text: string, references: ParseOptions) {
  const { queue } = live.getState()
  const row = queue.find(({ id }) => id === queuedId(queue, ref))
  return edit(live, ref, row === undefined ? { text } : recomposed(row, text, references))
}

async function send(kind: "send" | "steer", body: SendBody, live: LiveConversation, say: Say): Promise<Shown> {
  const key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
  try {
    const sent = await live.send(body, kind === "steer" ? { key, mode: "steer" } : { key })
    if (sent.note !== undefined) say(sent.note.detail)
    else if (sent.outcome === "queued") say(`queued at position ${sent.place ?? "unknown"}`)
    return (state) => state.sending.every((send) => send.key !== key)
  } catch (error) {
    live.dismissSend(key)
    throw error
  }
}

function list({ queue, status }: LiveState, say: Say): void {
  say(queue.length === 0 ? "The queue is empty." : queueLines(queue, Date.now()).join("\n"))
  if (status?.held) say(heldLine(status.held, "/resume"))
}

function isGone(id: string): Shown {
  return (state) => state.queue.every((row) => row.id !== id)
}
