/**
 * The response to a send whose client waits for the reply (API-20), or streams it (API-21).
 *
 * The message is durable before this begins, and the turn does not depend on it: when the client disconnects, only the
 * response ends.
 */
import type { ServerResponse } from "node:http"
import { limits, Refusal, type Sent, type TurnEvent, toProblem } from "@parlor/protocol"
import type { Answer } from "../http/answer.ts"
import { jsonBody } from "../http/json-pieces.ts"
import { SECURITY_HEADERS } from "../http/problem.ts"
import { whenClosed } from "../http/taken.ts"
import { addressOf } from "../routes/conversations.ts"
import type { Call, Services } from "../services.ts"
import { type EventAnswer, writeEvents } from "../streams/event-answer.ts"
import { startOf } from "../streams/read.ts"
import { ReplyReading } from "./reply.ts"
import { replyEvents, seqOf } from "./reply-events.ts"

type Header = (name: string) => string | undefined

export type Waiting =
  | { readonly kind: "wait"; readonly seconds: number }
  /** `after`: the last event that the client received. */
  | { readonly kind: "stream"; readonly after: EventPlace | undefined }

type EventPlace = { readonly offset: string; readonly n: number }

/** Undefined if the client does not wait. */
export function waitingOf(header: Header): Waiting | undefined {
  if (acceptsEvents(header("accept"))) return { kind: "stream", after: placeIn(header("last-event-id")) }
  const seconds = waitIn(header("prefer"))
  return seconds === undefined ? undefined : { kind: "wait", seconds }
}

/** Refuses a resume point that is not in this conversation before anything is stored. */
export async function checkResume({ runtime, clock }: Services, call: Call<"send">): Promise<void> {
  const waiting = waitingOf(call.header)
  if (waiting?.kind !== "stream" || waiting.after === undefined) return
  const { id: stream } = await runtime.conversation(addressOf(call))
  await startOf({ runtime, clock }, { stream }, waiting.after.offset)
}

export type SendAnswer = {
  readonly sent: Sent
  readonly call: Call<"send">
  readonly waiting: Waiting
  readonly out: ServerResponse
}

/** Undefined if the response is written to the socket directly. */
export async function answerSend(services: Services, of: SendAnswer): Promise<Answer | undefined> {
  const { waiting, call, out } = of
  if (waiting.kind === "wait") return waited(services, of, waiting.seconds)
  const headers = { ...SECURITY_HEADERS, "parlor-txid": call.txid }
  const to = { out, reader: call.caller, followers: services.followers, headers }
  await writeEvents(streamed(services, of, waiting.after), to)
  return undefined
}

async function waited(services: Services, { sent, call, out }: SendAnswer, seconds: number): Promise<Answer> {
  const { runtime, store, clock, followers } = services
  const address = addressOf(call)
  const left = new AbortController()
  const end = () => left.abort()
  whenClosed(out, end)
  const cancelTimer = clock.after(seconds * 1_000, end)
  const reading = new ReplyReading(sent)
  try {
    const open = { keepAlive() {}, cut: () => void out.destroy(), end }
    await followers.during(open, call.caller, async () => {
      for await (const event of replyEvents({ runtime, address, sent, signal: left.signal })) reading.read(event)
    })
  } finally {
    cancelTimer()
  }
  const { id: stream } = await runtime.conversation(address)
  const reply = await reading.reply(store.log, stream)
  const headers = {
    ...SECURITY_HEADERS,
    "parlor-txid": call.txid,
    "content-type": "application/json",
    "preference-applied": `wait=${seconds}`,
  }
  return { status: reply ? 200 : 202, headers, body: jsonBody(reply ?? { ...sent, state: "running" }) }
}

function streamed(services: Services, { sent, call }: SendAnswer, after: EventPlace | undefined): EventAnswer {
  const { runtime, log } = services
  const address = addressOf(call)
  async function* frames(signal: AbortSignal): AsyncGenerator<string> {
    yield `event: sent\ndata:${JSON.stringify(sent)}\n\n`
    try {
      for await (const event of replyEvents({ runtime, address, sent, signal }))
        if (after === undefined || isAfter(event, after)) yield frameOf(event)
    } catch (error) {
      if (!(error instanceof Refusal)) log.warn("reply stream interrupted", { reason: String(error) })
      const problem =
        error instanceof Refusal
          ? toProblem(error.code, error.message)
          : toProblem("store.unavailable", "The stream was interrupted. Repeat the send with the same Idempotency-Key.")
      yield `event: problem\ndata:${JSON.stringify(problem)}\n\n`
    }
  }
  return { frames }
}

function frameOf(event: TurnEvent): string {
  return `event: ${event.type}\ndata:${JSON.stringify(event)}\nid:${event.offset}.${event.n}\n\n`
}

function isAfter(event: TurnEvent, after: EventPlace): boolean {
  const [seq, place] = [seqOf(event.offset), seqOf(after.offset)]
  return seq > place || (seq === place && event.n > after.n)
}

function placeIn(lastEventId: string | undefined): EventPlace | undefined {
  if (lastEventId === undefined || lastEventId === "") return undefined
  const [, offset = "", n = ""] = /^([\w-]{1,64})\.(\d{1,9})$/.exec(lastEventId) ?? []
  if (offset === "" || seqOf(offset) === 0)
    throw new Refusal("offset.invalid", "Last-Event-ID is not the id of an event of this stream.", "Last-Event-ID")
  return { offset, n: Number(n) }
}

/** A client that accepts JSON too gets JSON: generated clients list every type of the document. */
function acceptsEvents(accept: string | undefined): boolean {
  const types = (accept ?? "").split(",").map((one) => one.split(";", 1)[0]?.trim().toLowerCase())
  return types.includes("text/event-stream") && !types.includes("application/json")
}

/** RFC 7240: one of several preferences, in seconds. */
function waitIn(prefer: string | undefined): number | undefined {
  for (const one of (prefer ?? "").split(",")) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i.exec(one) ?? []
    if (seconds !== undefined) return Math.min(Number(seconds), limits.sendWaitSeconds)
  }
  return undefined
}
