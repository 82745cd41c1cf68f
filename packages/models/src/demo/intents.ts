/**
 * Maps what a person asks the demo model to what it does.
 *
 * Pure: a request in, a script out, the same every time. It reads the last message for a handful of patterns; it does
 * not understand language and says so.
 */
import {
  CARRY_ON,
  GO_ON,
  type ModelRequest,
  SUMMARY_INSTRUCTIONS,
  TITLE_INSTRUCTIONS,
  withoutBlocks,
  withoutFrames,
} from "@parlor/core"
import { wakeUp, writeFile } from "./files.ts"
import { forget, remember, tellRemembered } from "./memory.ts"
import { earlierMessage, recap } from "./recall.ts"
import { type Script, say, withoutOpening } from "./script.ts"
import { summary } from "./summary.ts"
import { greeting, ideas, markdownTour, prose, thoughts } from "./texts.ts"
import { title } from "./title.ts"
import { afterTools, askPerson, callTool, listTools, tellTime, useSomeTool } from "./tools.ts"

export function scriptFor(request: ModelRequest): Script {
  if (request.instructions === SUMMARY_INSTRUCTIONS) return summary(request)
  if (request.instructions === TITLE_INSTRUCTIONS) return title(request)
  const last = request.messages.at(-1)
  if (last === undefined) return say(greeting)
  if (last.role === "tools") return afterTools(last.results)
  if (last.role === "person" && last.text === CARRY_ON) return carryOn(request)
  if (last.role === "person" && last.text === GO_ON)
    return scriptFor({ ...request, messages: request.messages.slice(0, -2) })
  const text = typedBy(lastPersonText(request)).slice(0, maxReadChars).toWellFormed()
  if (text === "") return say(attachedOnly(request))
  const isNewest = isAtTheEnd(request, text)
  for (const { pattern, script, onlyNewest } of intents) {
    if (onlyNewest === true && !isNewest) continue
    const match = pattern.exec(text)
    const found = match === null ? undefined : script(match, request)
    if (found !== undefined) return found
  }
  return say(puzzled(text))
}

type Intent = {
  readonly pattern: RegExp
  /** Undefined if the pattern matched by chance: the next one is tried. */
  readonly script: (match: RegExpExecArray, request: ModelRequest) => Script | undefined
  /** Whether it applies only if nothing follows the text, such as a program's message. */
  readonly onlyNewest?: true
}

/** The patterns run in the server's process, so what they read and how far they look ahead is bounded. */
const maxReadChars = 8_000
const maxCount = 1_000
const maxWords = 5_000
const maxSubjectChars = 200
const maxFailures = 100
const slowPerSecond = 4

/** The first match wins, so specific patterns come before general ones. */
const intents: readonly Intent[] = [
  {
    // A message that failed stays unanswered and comes along with the next one, which must not fail for it.
    pattern: /^\W{0,9}(?:please\s+)?fail\b(.{0,40})/is,
    script: ([, how = ""]) => failure(how),
    onlyNewest: true,
  },
  { pattern: /^\W{0,9}(?:please\s+|can you\s+)?ask me\b/i, script: (_, request) => askPerson(request) },
  {
    pattern: /^\W{0,9}(?:please\s+)?remember\s+(?:that\s+)?(\S.{0,2000})/is,
    script: ([, what = ""], request) => remember(request, what),
  },
  { pattern: /\bwhat\b.{0,20}\byou\b.{0,20}\bremember\b/is, script: (_, request) => tellRemembered(request) },
  {
    pattern: /^\W{0,9}(?:please\s+)?forget\s+`?([a-z0-9]+(?:-[a-z0-9]+)*)`?\W{0,3}$/i,
    script: ([, name = ""], request) => forget(request, name.toLowerCase()),
  },
  {
    pattern: /\bwrite\s+(?:me\s+)?(?:a\s+|the\s+)?file\s+(?:called\s+|named\s+)?`?([\w-][\w./-]{0,79})`?/i,
    script: ([, path = ""], request) => writeFile(request, path.replace(/\.$/, "")),
  },
  {
    pattern: /\bwake\b.{0,20}\bin\s+(\d{1,4})\s+(second|minute|hour)s?\b/is,
    script: ([, count = "", unit = ""], request) => wakeUp(request, count, unit),
  },
  { pattern: /\bcount\b(.{0,40}?)\b(?:to|till|until)\s+(\d+)(.{0,40})/is, script: (match) => counting(match) },
  {
    pattern: /\b(?:what(?:'s| is)|tell me) the time\b|\bwhat time\b|\bcurrent time\b/i,
    script: (_, request) => tellTime(request),
  },
  { pattern: /\b(?:use|call|try)\s+(?:a|any|some)\s+tools?\b/i, script: (_, request) => useSomeTool(request) },
  {
    pattern: /\b(?:use|call|run)\s+(?:the\s+)?(?:tool\s+)?`?([\w.:-]{1,80})`?(?:\s+tool)?(?:\s+with)?\s*(\{.*\})?/is,
    script: ([, name = "", input], request) => callTool(request, name, input),
  },
  { pattern: /\b(?:what|which|list)\b.{0,40}\btools\b/is, script: (_, request) => listTools(request) },
  {
    pattern: /\bwhat\b.{0,40}\bI\b.{0,20}\b(?:say|said|ask|asked|write|wrote)\b(.{0,40})/is,
    script: ([, which = ""], request) => earlierMessage(request, which),
  },
  { pattern: /\b(?:summar(?:y|ise|ize)|recap)\b/i, script: (_, request) => recap(request) },
  { pattern: /\bthink\s+(?:hard\s+)?(?:about|over|on)\s+(.+)/is, script: ([, subject = ""]) => thinking(subject) },
  { pattern: /\b(\d{1,9})\s+words\b/i, script: ([, count]) => say(prose(atMost(count, maxWords))) },
  { pattern: /\b(?:story|essay|long (?:answer|text|reply))\b/i, script: () => say(prose(400)) },
  { pattern: /\b(?:markdown|formatting)\b/i, script: () => say(markdownTour) },
  { pattern: /^\W{0,9}(?:echo|repeat|say)\b[\s:]+(.+)/is, script: ([, text = ""]) => say(text.trim()) },
  { pattern: /\bthank(?:s| you)\b/i, script: () => say("You are welcome. What shall we try next?") },
  {
    pattern: /^\W{0,9}(?:hi|hello|hey|good (?:morning|afternoon|evening)|help)\b|\bwho are you\b|\bwhat can you do\b/i,
    script: () => say(greeting),
  },
]

/** The line that tells a model what woke it. */
const TRIGGER_NOTE = /(?<!\s)\s*\[[^[\]\n]{1,200} Nobody is at the keyboard\.[^[\]\n]{0,200}\]$/

/** Messages that were never answered arrive as one; the last paragraph is the newest of them. */
function lastPersonText(request: ModelRequest): string {
  const message = request.messages.findLast(({ role }) => role === "person")
  if (message?.role !== "person") return ""
  const text = withoutFrames(withoutBlocks(message.text)).replace(TRIGGER_NOTE, "")
  return text.slice(text.lastIndexOf("\n\n") + 1).trim()
}

/** Whether nothing comes after the text that was typed last: no program's message, no inserted context, no guest. */
function isAtTheEnd(request: ModelRequest, text: string): boolean {
  const message = request.messages.findLast(({ role }) => role === "person")
  if (message?.role !== "person") return false
  return typedBy(message.text.trimEnd().replace(TRIGGER_NOTE, "")).endsWith(text.slice(-maxSubjectChars))
}

/** Without the placeholders of attachments, which nobody typed. */
function typedBy(text: string): string {
  return text.replaceAll(/\[attachment [^\]\n]{1,400}\]/g, "").trim()
}

function attachedOnly(request: ModelRequest): string {
  const message = request.messages.findLast(({ role }) => role === "person")
  const names = message?.role === "person" ? (message.text.match(/\[attachment [^\]\n]{1,400}\]/g) ?? []) : []
  return names.length === 0
    ? greeting
    : `You attached ${names.length}, and said nothing. I cannot look into attachments. ${ideas}`
}

/** The same question gets the same answer, so what was already said is left out. */
function carryOn(request: ModelRequest): Script {
  const messages = request.messages.slice(0, -1)
  const cut = messages.at(-1)
  const said = cut?.role === "agent" ? cut.parts.map((part) => (part.type === "text" ? part.text : "")).join("") : ""
  const script = scriptFor({ ...request, messages: messages.slice(0, -1) })
  return withoutOpening(script, said)
}

/**
 * "fail" ends the turn with an error. "fail twice" is worth retrying, and the third try works. "fail halfway" says
 * something first. "fail every time" is retried until the turn gives up.
 */
function failure(how: string): Script {
  if (/\b(?:every|each|always|again)\b/i.test(how))
    return [{ type: "fail", message: "The demo model was asked to fail every time it is tried.", transient: true }]
  const times = timesIn(how)
  if (times === undefined)
    return [
      {
        type: "fail",
        message: "The demo model was asked to fail, and trying again will not help.",
        transient: false,
      },
    ]
  const halfway = /\b(?:halfway|midway)\b/i.test(how)
  const message = `The demo model was asked to fail ${times === 1 ? "once" : `${times} times`}, and then to work.`
  return [
    ...(halfway ? say("I will get about this far and then ") : []),
    { type: "fail", message, transient: true, times },
    ...say(halfway ? "go on, because I was tried again." : `That worked, at try number ${times + 1}.`),
  ]
}

/** Undefined if the request does not ask for a transient failure. */
function timesIn(how: string): number | undefined {
  const counted = /\b(\d{1,3}|three|four)\s+times\b/i.exec(how)?.[1]?.toLowerCase()
  if (counted !== undefined) return atMost({ three: "3", four: "4" }[counted] ?? counted, maxFailures)
  if (/\btwice\b/i.test(how)) return 2
  return /\b(?:once|for now|briefly|halfway|midway)\b/i.test(how) ? 1 : undefined
}

function counting(match: RegExpExecArray): Script {
  const [, before = "", limit, after = ""] = match
  const last = atMost(limit, maxCount)
  const slow = /\bslow(?:ly)?\b/i.test(before + after)
  const numbers = Array.from({ length: last }, (_, i) => i + 1).join(", ")
  return [{ type: "say", text: last === 0 ? "0." : `${numbers}.`, ...(slow ? { perSecond: slowPerSecond } : {}) }]
}

function thinking(subject: string): Script {
  const about = subject
    .trim()
    .slice(0, maxSubjectChars)
    .toWellFormed()
    .replace(/(?<![.?!])[.?!]+$/, "")
  return [
    { type: "think", text: thoughts(about) },
    {
      type: "say",
      text: `I have thought about ${about}. A real model would now tell you something about it; I can only show that thinking comes first and stays folded away until you open it.`,
    },
  ]
}

function puzzled(text: string): string {
  const quoted = text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text
  const quote = quoted
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")
  return `You wrote:\n\n${quote}\n\nI am the offline demo model, so I recognize a few requests and understand nothing else. ${ideas}`
}

function atMost(digits: string | undefined, limit: number): number {
  return Math.min(Number(digits ?? "0"), limit)
}
