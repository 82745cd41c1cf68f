/** The AI SDK's chat over a conversation. Chat id = branch, message id = idempotency key. */
import {
  clientIdOf,
  readUiRequest,
  UI_DONE,
  type UiAct,
  UiStream,
  type UiStreamOptions,
  uiFrame,
  uiMessages,
} from "@parlor/adapters"
import {
  type Address,
  type AskRow,
  type MessageId,
  type MessageRow,
  parseOffset,
  Refusal,
  type Sent,
} from "@parlor/protocol"
import type { Call, Services } from "../services.ts"
import type { EventAnswer } from "../streams/event-answer.ts"
import { composerInputOf } from "../turns/client-input.ts"
import { followAnswer } from "../turns/follow-turns.ts"
import { sendNew } from "../turns/send-new.ts"
import { readableAnswer } from "../turns/text-answer.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { uiSend, uiResume, uiMessages: listUiMessages, uiStop }

/** How many messages back a message named by the client is searched. */
const LOOK_BACK = 200
const HEADERS = { "x-vercel-ai-ui-message-stream": "v1" }

async function uiSend(services: Services, call: Call<"uiSend">): Promise<EventAnswer> {
  const address = { agent: call.params.agent, branch: call.body.id, person: call.caller.person }
  const act = readUiRequest(call.body)
  const version = call.query.sdk
  if (act.kind === "answer") {
    const ask = await answerAll(services, call, { address, answers: act.answers })
    return streamTurn(services, { address, turn: ask.turn, version, afterAsk: ask.id })
  }
  if (act.kind === "send" && !act.replaces) {
    const ask = await openQuestion(services, address)
    if (ask !== undefined) {
      await services.runtime.answer(address, ask.id, readableAnswer(ask, act.text), { by: "person", txid: call.txid })
      return streamTurn(services, { address, turn: ask.turn, version, afterAsk: ask.id, inNewMessage: true })
    }
  }
  const sent = await sendAct(services, call, { address, act })
  if (sent.txid !== call.txid) services.sends.giveBack(call.caller)
  return streamSent(services, { address, sent, version })
}

async function uiResume(services: Services, call: Call<"uiResume">): Promise<EventAnswer | undefined> {
  const address = addressOf(call)
  const { status } = await services.runtime.snapshot(address, { messages: 1 }).catch(missingIsIdle)
  if (status?.busyWith !== "turn" || status.turn === null) return undefined
  return streamTurn(services, { address, turn: status.turn, version: call.query.sdk })
}

async function listUiMessages({ runtime }: Services, call: Call<"uiMessages">) {
  const address = addressOf(call)
  const { before, limit } = call.query
  if (before === undefined) {
    const { messages, asks, older } = await runtime.snapshot(address, { messages: limit })
    return { messages: plain(uiMessages(messages, asks)), older }
  }
  const { messages, older } = await runtime.history(address, { before, limit })
  return { messages: plain(uiMessages([...messages].reverse(), [])), older }
}

async function uiStop({ runtime }: Services, call: Call<"uiStop">): Promise<void> {
  const stop = { turn: undefined, onQueue: undefined, txid: call.txid }
  await runtime.stop(addressOf(call), stop).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === "turn.none")) throw error
  })
}

type Acting = { readonly address: Address; readonly act: Exclude<UiAct, { kind: "answer" }> }

async function sendAct(services: Services, call: Call<"uiSend">, { address, act }: Acting): Promise<Sent> {
  if (act.kind === "send" && !act.replaces) {
    const payload = { ...(await composerInputOf(services, address.person, act)), clientId: act.id }
    return sendNew(services, call, { address, payload, key: `ui:${act.id}` })
  }
  const known = await messageOf(services, address, act.id)
  const payload =
    act.kind === "send"
      ? { ...(await composerInputOf(services, address.person, act)), clientId: act.id }
      : { ...(known.composer ?? { source: textOf(known) }) }
  // The edit was already applied, and only its response was lost.
  if (act.kind === "send" && (known.composer?.source ?? textOf(known)) === payload.source && known.editedFrom !== null)
    return { message: known.id, outcome: "started", turn: known.turn ?? "", offset: "-1", txid: "" }
  await services.runtime.rollBack(address, { to: known.id, scope: "both", edit: true, txid: call.txid })
  return sendNew(services, call, { address, payload, editedFrom: known.id })
}

/** The message by the client's id, or by ours. */
async function messageOf({ runtime }: Services, address: Address, id: string): Promise<MessageRow> {
  const { messages } = await runtime.history(address, { before: undefined, limit: LOOK_BACK })
  const found = messages.find((one) => one.role === "person" && !one.dimmed && (clientIdOf(one) ?? one.id) === id)
  if (found !== undefined) return found
  throw new Refusal("message.unknown", `None of the last ${LOOK_BACK} messages has the id ${id}.`, "/messageId")
}

async function answerAll(
  { runtime }: Services,
  call: Call<"uiSend">,
  { address, answers }: { readonly address: Address; readonly answers: Extract<UiAct, { kind: "answer" }>["answers"] },
): Promise<AskRow> {
  let last: AskRow | undefined
  for (const { ask, approved } of answers)
    last = await runtime.answer(address, ask, approved, { by: "person", txid: call.txid }).catch((error: unknown) => {
      // Another device answered first: the turn continues with that answer.
      if (error instanceof Refusal && error.code === "ask.closed") return runtime.ask(address, ask)
      throw error
    })
  if (last === undefined) throw new Refusal("request.invalid", "The last message contains no answer.", "/messages")
  return last
}

/** An open question or form: the next message is its answer, because the client has no other way to answer. */
async function openQuestion({ runtime }: Services, address: Address): Promise<AskRow | undefined> {
  const { asks } = await runtime.snapshot(address, { messages: 1 }).catch(missingIsIdle)
  return asks.find((ask) => ask.state === "open" && ask.kind !== "approval")
}

type Streaming = { readonly address: Address; readonly version: 6 | 7 }

async function streamSent(
  services: Services,
  { sent, ...of }: Streaming & { readonly sent: Sent },
): Promise<EventAnswer> {
  if (sent.turn) return streamTurn(services, { ...of, turn: sent.turn })
  const { id: stream } = await services.runtime.conversation(of.address)
  const seq = parseOffset(sent.offset)
  return answerOf(services, new UiStream({ version: of.version }), (signal) => ({
    runtime: services.runtime,
    stream,
    after: typeof seq === "number" ? seq : 0,
    message: sent.message as MessageId,
    signal,
  }))
}

async function streamTurn(
  services: Services,
  { address, turn, ...options }: Streaming & UiStreamOptions & { readonly turn: string },
): Promise<EventAnswer> {
  const { runtime } = services
  const { began, message } = await runtime.turn(address, turn)
  const { id: stream } = await runtime.conversation(address)
  return answerOf(services, new UiStream(options), (signal) => ({
    runtime,
    stream,
    after: began ?? 0,
    message,
    signal,
  }))
}

function answerOf(
  services: Services,
  chunks: UiStream,
  of: (signal: AbortSignal) => Parameters<typeof followAnswer>[0],
): EventAnswer {
  async function* frames(signal: AbortSignal): AsyncGenerator<string> {
    try {
      for await (const event of followAnswer(of(signal))) {
        for (const chunk of chunks.read(event)) yield uiFrame(chunk)
        if (chunks.ended) break
      }
    } catch (error) {
      if (!(error instanceof Refusal)) services.log.warn("chat stream interrupted", { reason: String(error) })
      const errorText = error instanceof Refusal ? error.message : "The stream was interrupted. Reconnect to continue."
      yield uiFrame({ type: "error", errorText })
    }
    yield UI_DONE
  }
  return { headers: HEADERS, frames }
}

const IDLE = { status: undefined, asks: [] as readonly AskRow[] }

function missingIsIdle(error: unknown): typeof IDLE {
  if (error instanceof Refusal && error.code === "conversation.unknown") return IDLE
  throw error
}

function textOf({ parts }: MessageRow): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}

function plain(messages: ReturnType<typeof uiMessages>) {
  return messages.map(({ id, role, parts }) => ({ id, role, parts: parts.map((part) => ({ ...part })) }))
}
