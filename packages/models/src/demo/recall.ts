/** Answers about the conversation itself, read from the messages of the request. */
import { type ModelRequest, withoutFrames, withoutNotes } from "@parlor/core"
import { type Script, say } from "./script.ts"

const maxQuoteChars = 160
const maxRecapLines = 12

/** Which message is meant: "first", "last" or "before" this one, by default the first. */
export function earlierMessage(request: ModelRequest, which: string): Script {
  const earlier = personTexts(request).slice(0, -1)
  const first = earlier[0]
  const last = earlier.at(-1)
  if (first === undefined || last === undefined)
    return say("Nothing yet: this is your first message in what I can see.")
  if (/\b(?:last|before|previously|just now)\b/i.test(which))
    return say(`Just before this you said:\n\n> ${quote(last)}`)
  return say(`The first thing you said was:\n\n> ${quote(first)}`)
}

export function recap(request: ModelRequest): Script {
  const earlier = personTexts(request).slice(0, -1)
  if (earlier.length === 0) return say("There is nothing to sum up yet.")
  const shown = earlier.slice(-maxRecapLines)
  const answers = request.messages.filter(({ role }) => role === "agent").length
  const left = earlier.length - shown.length
  const opening = `So far you sent ${counted(earlier.length, "message")} and I gave ${counted(answers, "answer")}.`
  const list = shown.map((text, i) => `${left + i + 1}. ${quote(text)}`).join("\n")
  return say(`${opening} ${left > 0 ? "The latest" : "They"} were:\n\n${list}`)
}

function personTexts(request: ModelRequest): readonly string[] {
  return request.messages.flatMap((message) =>
    message.role === "person" ? [withoutFrames(withoutNotes(message.text))] : [],
  )
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= maxQuoteChars ? line : `${line.slice(0, maxQuoteChars).toWellFormed()}…`
}

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`
}
