/** Does what a typed line asks for, and says what came of it. */
import type { LiveConversation } from "@parlor/client"
import { unreachable } from "@parlor/protocol"
import { findAsk, readAnswer } from "../asks.ts"
import { Complaint, explain } from "../explain.ts"
import { heldLine, queuedId, queueLines } from "../queue-lines.ts"
import { type ChatCommand, help } from "./line.ts"

export type Doing = Exclude<ChatCommand, { readonly kind: "quit" }>

/** Where the words about a command go. */
export type Say = (words: string) => void

/** Never rejects: what was refused is said. Gives whether it was done. */
export async function perform(command: Doing, live: LiveConversation, say: Say): Promise<boolean> {
  try {
    await act(command, live, say)
    return true
  } catch (error) {
    say(explain(error))
    return false
  }
}

async function act(command: Doing, live: LiveConversation, say: Say): Promise<void> {
  const { queue, asks } = live.getState()
  switch (command.kind) {
    case "nothing":
      return
    case "wrong":
      throw new Complaint(command.detail)
    case "help":
      return say(help)
    case "send":
    case "steer":
      return send(command.kind, command.text, live, say)
    case "queue":
      return list(live, say)
    case "edit":
      if (command.text === "") throw new Complaint("/edit N text: say what to put there.")
      await live.edit(queuedId(queue, command.ref), { text: command.text })
      return
    case "move":
      await live.edit(queuedId(queue, command.ref), { [command.side]: queuedId(queue, command.anchor) })
      return
    case "pause":
    case "release":
      await live.edit(queuedId(queue, command.ref), { mode: command.kind === "pause" ? "paused" : "immediate" })
      return
    case "now":
      await live.sendNow(queuedId(queue, command.ref))
      return
    case "remove":
      return live.remove(queuedId(queue, command.ref))
    case "hold":
      await live.hold()
      return
    case "resume":
      await live.resume()
      return
    case "clear":
      return say(`Removed ${(await live.clearQueue()).removed}.`)
    case "stop":
      await live.stop()
      return
    case "answer": {
      const ask = findAsk(asks, command.ref)
      await live.answer(ask.id, readAnswer(ask, command.text))
      return
    }
    default:
      unreachable(command)
  }
}

async function send(kind: "send" | "steer", text: string, live: LiveConversation, say: Say): Promise<void> {
  const key = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
  try {
    const sent = await live.send(text, kind === "steer" ? { key, mode: "steer" } : { key })
    if (sent.note !== undefined) say(sent.note.detail)
    else if (sent.outcome === "queued") say(`queued, place ${sent.place ?? "unknown"}`)
  } catch (error) {
    live.dismissSend(key)
    throw error
  }
}

function list(live: LiveConversation, say: Say): void {
  const { queue, status } = live.getState()
  say(queue.length === 0 ? "Nothing is waiting." : queueLines(queue, Date.now()).join("\n"))
  if (status?.held) say(heldLine(status.held, "/resume"))
}
