/** What a typed line means. Pure. */
import type { AskRow } from "@parlor/protocol"
import { isPlainAnswer } from "../asks.ts"

export type ChatCommand =
  | { readonly kind: "send" | "steer"; readonly text: string }
  | { readonly kind: "edit"; readonly ref: string; readonly text: string }
  | { readonly kind: "move"; readonly ref: string; readonly side: "before" | "after"; readonly anchor: string }
  | { readonly kind: "now" | "remove" | "pause" | "release"; readonly ref: string }
  | { readonly kind: "answer"; readonly ref: string; readonly text: string }
  | { readonly kind: "queue" | "hold" | "resume" | "clear" | "stop" | "help" | "nothing" }
  | { readonly kind: "quit" }
  | { readonly kind: "wrong"; readonly detail: string }

export const help = `Type a message and press Enter; Alt-Enter begins a new line. While the agent answers, messages queue.
  /queue                  what waits           /now N       stop what runs and start N
  /edit N [text]          change N             /remove N    take N off the queue
  /move N before|after M  another place        /pause N     /release N
  /hold  /resume  /clear  the whole queue      /steer text  into the running turn
  /stop                   stop the turn        /answer [N] value   answer what is asked
  /help  /quit            //text sends a text that begins with a slash
The agent's own commands, @agent and @file are for the agent: it sees what they refer to.
Esc or Ctrl-C stops the turn, twice leaves. A plain y, n or number answers what is asked.`

/** `commands` are the agent's own: they are sent to it, unless this chat has one of that name. */
export function readLine(line: string, asks: readonly AskRow[], commands: readonly string[] = []): ChatCommand {
  const text = line.trim()
  if (text === "") return { kind: "nothing" }
  if (text.startsWith("//")) return { kind: "send", text: text.slice(1) }
  if (text.startsWith("/")) return readCommand(text.slice(1), asks, commands)
  const [ask] = asks
  if (ask !== undefined && isPlainAnswer(ask, text)) return { kind: "answer", ref: ask.id, text }
  return { kind: "send", text }
}

function readCommand(text: string, asks: readonly AskRow[], commands: readonly string[]): ChatCommand {
  const [name = "", rest = ""] = cut(text)
  switch (name) {
    case "queue":
    case "hold":
    case "resume":
    case "clear":
    case "stop":
    case "help":
      return { kind: name }
    case "quit":
    case "exit":
    case "q":
      return { kind: "quit" }
    case "steer":
      return rest === "" ? wrong("/steer text: say what.") : { kind: "steer", text: rest }
    case "now":
    case "remove":
    case "pause":
    case "release":
      return rest === "" ? wrong(`/${name} N: say which one.`) : { kind: name, ref: rest }
    case "edit": {
      const [ref, words] = cut(rest)
      return ref === "" ? wrong("/edit N text: say which one.") : { kind: "edit", ref, text: words }
    }
    case "move":
      return readMove(rest)
    case "answer":
      return readAnswer(rest, asks)
    default:
      if (commands.includes(name)) return { kind: "send", text: `/${text}` }
      return wrong(`There is no /${name}. /help tells what there is; //${name} sends it as text.`)
  }
}

function readMove(rest: string): ChatCommand {
  const [ref = "", side, anchor] = rest.split(/\s+/)
  if ((side === "before" || side === "after") && anchor !== undefined) return { kind: "move", ref, side, anchor }
  return wrong("/move N before M, or /move N after M.")
}

/** With several asks open the first word says which; with one, all of it is the answer. */
function readAnswer(rest: string, asks: readonly AskRow[]): ChatCommand {
  if (rest === "") return wrong("/answer value: say what.")
  const [first = "", others = ""] = cut(rest)
  const named = asks.find((ask) => ask.id === first) ?? (asks.length > 1 ? asks[Number(first) - 1] : undefined)
  if (named !== undefined && others !== "") return { kind: "answer", ref: named.id, text: others }
  return { kind: "answer", ref: "1", text: rest }
}

function cut(text: string): readonly [string, string] {
  const [, first = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? []
  return [first, rest]
}

function wrong(detail: string): ChatCommand {
  return { kind: "wrong", detail }
}
