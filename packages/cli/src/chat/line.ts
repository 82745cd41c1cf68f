/** Parses a typed line. Pure. */
import type { AskRow, SlashCommandRow } from "@parlor/protocol"
import { isPlainAnswer } from "../asks.ts"
import { commandLine } from "../command-lines.ts"
import { plain } from "../plain.ts"

export type ChatCommand =
  | { readonly kind: "send" | "steer"; readonly text: string }
  | { readonly kind: "edit"; readonly ref: string; readonly text: string }
  | { readonly kind: "move"; readonly ref: string; readonly side: "before" | "after"; readonly anchor: string }
  | { readonly kind: "now" | "remove" | "pause" | "release"; readonly ref: string }
  | { readonly kind: "answer"; readonly ref: string; readonly text: string }
  | { readonly kind: "queue" | "hold" | "resume" | "clear" | "stop" | "help" | "nothing" }
  | { readonly kind: "quit" }
  | { readonly kind: "wrong"; readonly detail: string }

/** Ends with the agent's own commands, if it has any. */
export function helpWith(commands: readonly SlashCommandRow[]): string {
  const lines = commands.map((row) => `  ${plain(commandLine(row))}`)
  return lines.length === 0 ? help : [help, "Commands of the agent:", ...lines].join("\n")
}

const help = `Type a message and press Enter; Alt-Enter starts a new line. While the agent replies, messages queue.
  /queue                  list the queue       /now N       stop the turn and start N
  /edit N [text]          edit N               /remove N    remove N from the queue
  /move N before|after M  move N               /pause N     skip N for now, /release N undoes it
  /hold  /resume  /clear  the whole queue      /steer text  add to the current reply
  /stop                   stop the turn        /answer [N] value   answer a question
  /help  /quit  Tab       completes names      //text sends text that begins with a slash
The agent's own commands, @agent and @file are sent to the agent as references.
Esc or Ctrl-C stops the turn; press it twice to leave. A plain y, n or number answers an open question.`

/** The names of this chat's own commands. */
export const chatCommands: readonly string[] = [
  ...[
    "answer",
    "clear",
    "edit",
    "help",
    "hold",
    "move",
    "now",
    "pause",
    "queue",
    "quit",
    "release",
    "remove",
    "resume",
  ],
  ...["steer", "stop"],
]

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
      return rest === "" ? wrong("Usage: /steer text") : { kind: "steer", text: rest }
    case "now":
    case "remove":
    case "pause":
    case "release":
      return rest === "" ? wrong(`Usage: /${name} N`) : { kind: name, ref: rest }
    case "edit": {
      const [ref, words] = cut(rest)
      return ref === "" ? wrong("Usage: /edit N text") : { kind: "edit", ref, text: words }
    }
    case "move":
      return readMove(rest)
    case "answer":
      return readAnswer(rest, asks)
    default:
      if (commands.includes(name)) return { kind: "send", text: `/${text}` }
      return wrong(`Unknown command: /${name}. /help lists the commands; //${name} sends it as text.`)
  }
}

function readMove(rest: string): ChatCommand {
  const [ref = "", side, anchor] = rest.split(/\s+/)
  if ((side === "before" || side === "after") && anchor !== undefined) return { kind: "move", ref, side, anchor }
  return wrong("Usage: /move N before M, or /move N after M")
}

/** With several open asks the first word selects one; with one, all of it is the answer. */
function readAnswer(rest: string, asks: readonly AskRow[]): ChatCommand {
  if (rest === "") return wrong("Usage: /answer [N] value")
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
