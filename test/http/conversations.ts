/** Shared helpers for conversations over HTTP. */
import { type ChangeEvent, changeEvent, readChanges, routes, type Sent, type Snapshot } from "@parlor/protocol"
import { expect } from "vitest"
import { z } from "zod"
import { type Ask, ask, follow, read, type Target } from "./client.ts"

const events = z.array(changeEvent)
const snapshot = routes.openConversation.answer.schema
const sent = routes.send.answer.schema
const messagePage = routes.listMessages.answer.schema

export function pathOf(agent: string, branch: string): string {
  return `/v1/conversations/${encodeURIComponent(agent)}/${encodeURIComponent(branch)}`
}

export function open(target: Target, path: string, options: Ask = {}): Promise<Snapshot> {
  return read(target, snapshot, "GET", path, options)
}

export function send(target: Target, path: string, text: string, options: Ask = {}): Promise<Sent> {
  return read(target, sent, "POST", `${path}/messages`, { ...options, body: { text } })
}

/** Sends and waits for the reply. */
export async function converse(target: Target, path: string, text: string, options: Ask = {}): Promise<Sent> {
  const accepted = await send(target, path, text, options)
  await untilTurnEnds(target, path, accepted, options)
  return accepted
}

export async function untilTurnEnds(target: Target, path: string, accepted: Sent, options: Ask = {}): Promise<void> {
  const following = await follow(target, `${path}/events?offset=${accepted.offset}&live=sse`, options)
  await following.until(tellsOfEnd())
  following.leave()
}

/** Parses each line only once, however long the stream grows. */
function tellsOfEnd(): (stream: string) => boolean {
  let read = 0
  return (stream) => {
    const whole = stream.lastIndexOf("\n") + 1
    const lines = stream.slice(read, whole).split("\n")
    read = whole
    const changes = lines.filter((line) => line.startsWith("data:[")).flatMap((line) => JSON.parse(line.slice(5)))
    return (changes as ChangeEvent[]).some(
      (change) => change.type === "turns" && ["done", "failed", "stopped"].includes(change.value?.state),
    )
  }
}

/** Polls for state that no event announces. */
export function eventually<T>(get: () => T) {
  return expect.poll(get, { timeout: 15_000, interval: 20 })
}

/** The whole log of a conversation, page by page. */
export async function logOf(target: Target, path: string, options: Ask = {}): Promise<readonly ChangeEvent[]> {
  const log: ChangeEvent[] = []
  let offset = "-1"
  for (;;) {
    const answer = await ask(target, "GET", `${path}/events?offset=${offset}`, options)
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
    events.parse(JSON.parse(answer.text))
    log.push(...readChanges(answer.text))
    offset = String(answer.headers["stream-next-offset"])
    if (answer.headers["stream-up-to-date"] === "true") return log
  }
}

/** The current end of the log. */
export async function headOf(target: Target, path: string, options: Ask = {}): Promise<string> {
  const answer = await ask(target, "HEAD", `${path}/events`, options)
  return answer.status === 200 ? String(answer.headers["stream-next-offset"]) : `none (${answer.status})`
}

export async function historyOf(target: Target, path: string, limit: number, options: Ask = {}) {
  const messages = []
  let before = ""
  for (;;) {
    const page = await read(target, messagePage, "GET", `${path}/messages?limit=${limit}${before}`, options)
    messages.push(...page.messages)
    if (page.older === null) return messages
    before = `&before=${page.older}`
  }
}

/** The visible text, in order. */
export function visible(messages: Snapshot["messages"]): readonly string[] {
  return messages.map(
    (message) => `${message.role}: ${message.parts.map((part) => ("text" in part ? part.text : part.type)).join("")}`,
  )
}
