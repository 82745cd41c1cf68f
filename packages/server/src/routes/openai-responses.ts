/** OpenAI's responses: created, followed and resumed by number, canceled. */
import { type ResponseEvent, ResponseStream, saidInItems } from "@parlor/adapters"
import { type AnswerOf, Refusal, type TurnEvent } from "@parlor/protocol"
import { isRemoval, replyEvents } from "../openai/reply.ts"
import { findResponse, placeOfId } from "../openai/response.ts"
import { branchOf, type Destination, destinationOf, type SendCall, sendCallOf } from "../openai/send-call.ts"
import { type Started, startAfter, startReply } from "../openai/start.ts"
import { checkResponse } from "../openai/supported.ts"
import type { Call, Services } from "../services.ts"
import type { EventAnswer } from "../streams/event-answer.ts"
import type { WaitAnswer } from "../streams/wait-answer.ts"

export const handlers = { openaiRespond, openaiResponse, openaiCancel, openaiDelete }

type Snapshot = AnswerOf<"openaiResponse">

async function openaiRespond(
  services: Services,
  call: Call<"openaiRespond">,
): Promise<Snapshot | EventAnswer | WaitAnswer> {
  const { background, stream } = call.body
  checkResponse(call.body)
  const { place: found, atEnd } = await started(services, call)
  const place = { ...found, background: background === true }
  const reply = new ResponseStream(place)
  if (background && !stream) {
    await atEnd(undefined)
    return snapshotOf(reply)
  }
  const events = await replyEvents(services, call.caller.person, place)
  const following = { services, reply, events, atEnd }
  return stream ? { frames: (signal) => frames(following, signal) } : { wait: (signal) => whole(following, signal) }
}

async function openaiResponse(
  services: Services,
  call: Call<"openaiResponse">,
): Promise<Snapshot | EventAnswer | WaitAnswer> {
  const { stream, starting_after: after } = call.query
  const { now, place } = await findResponse(services, call.caller.person, call.params.id)
  if (!stream) return snapshotOf(now)
  if (after !== undefined && after >= now.count)
    throw new Refusal("request.invalid", `This response has no event ${after} yet.`, "starting_after")
  const reply = new ResponseStream(place)
  const events = await replyEvents(services, call.caller.person, place)
  return { frames: (signal) => frames({ services, reply, events, after, atEnd: async () => {} }, signal) }
}

/** The queue goes on: this client has no other way to resume it. */
async function openaiCancel(services: Services, call: Call<"openaiCancel">): Promise<Snapshot> {
  const { runtime } = services
  const { person } = call.caller
  const found = await findResponse(services, person, call.params.id)
  const { now, turn, address, place } = found
  if (now.ended) return snapshotOf(now)
  const ended = (error: unknown) => {
    if (!(error instanceof Refusal && ["turn.over", "turn.none", "message.not-queued"].includes(error.code)))
      throw error
  }
  if (turn === undefined) await runtime.removeQueued(address, place.message, call.txid).catch(ended)
  else await runtime.stop(address, { turn, onQueue: "drain", txid: call.txid }).catch(ended)
  return snapshotOf((await findResponse(services, person, call.params.id)).now)
}

async function openaiDelete(services: Services, call: Call<"openaiDelete">) {
  const { runtime, followers } = services
  const { address, place } = await findResponse(services, call.caller.person, call.params.id)
  const { messages, older, queue } = await runtime.snapshot(address, { messages: DELETED_MESSAGES })
  const said = [...messages.filter(({ role }) => role === "person"), ...queue]
  if (older !== null || said.some(({ id }) => id !== place.message))
    throw new Refusal(
      "conversation.busy",
      `This response is part of a longer conversation and cannot be deleted alone. Delete the conversation with DELETE /v1/conversations/${address.agent}/${encodeURIComponent(address.branch)}.`,
    )
  const gone = await runtime.remove(address, { branches: [], txid: call.txid })
  for (const stream of gone) followers.cutStream(stream)
  return { id: call.params.id, object: "response" as const, deleted: true as const }
}

/** The messages of one turn. */
const DELETED_MESSAGES = 100

async function started(services: Services, call: Call<"openaiRespond">): Promise<Started> {
  const { input, model, previous_response_id: previous, store } = call.body
  const said = saidInItems(input)
  const sending = sendCallOf(services, call)
  if (previous == null) return startReply(services, sending, { to: destination(services, call, sending), said, store })
  const place = placeOfId(previous, "/previous_response_id")
  if (model != null && destinationOf(services, sending, model).agent !== place.agent)
    throw new Refusal("request.invalid", `The previous response is from ${place.agent}, not ${model}.`, "/model")
  // Also checks that it belongs to the caller.
  await findResponse(services, call.caller.person, previous)
  return startAfter(services, sending, { previous: place, said })
}

function destination(services: Services, call: Call<"openaiRespond">, sending: SendCall): Destination {
  const { model, conversation } = call.body
  if (model == null) throw new Refusal("request.invalid", "`model` is the name of an agent.", "/model")
  const to = destinationOf(services, sending, model)
  if (conversation == null) return to
  const name = typeof conversation === "string" ? conversation : conversation.id
  return { ...to, branch: branchOf(name, "/conversation"), sendsWholeHistory: false, isTemporary: false }
}

type Following = {
  readonly services: Services
  readonly reply: ResponseStream
  readonly events: (signal: AbortSignal) => AsyncGenerator<TurnEvent>
  readonly atEnd: Started["atEnd"]
  /** The number of the last event that the client has. */
  readonly after?: number | undefined
}

async function* frames(following: Following, signal: AbortSignal): AsyncGenerator<string> {
  const { after = -1 } = following
  let last = -1
  for await (const event of replied(following, signal)) {
    // A delta that stands for several, of which the client has some: the whole text follows in its `done` event.
    const isPartly = last < after && event.sequence_number > after
    if (event.sequence_number > after && !isPartly) yield frame(event)
    last = event.sequence_number
  }
}

async function whole(following: Following, signal: AbortSignal): Promise<Snapshot> {
  for await (const _ of replied(following, signal));
  return snapshotOf(following.reply)
}

async function* replied({ reply, events, atEnd }: Following, signal: AbortSignal): AsyncGenerator<ResponseEvent> {
  try {
    yield* reply.begin()
    for await (const event of events(signal)) {
      yield* reply.read(event)
      if (reply.ended) break
    }
  } catch (error) {
    if (!isRemoval(error)) throw error
    yield* reply.cancel()
  } finally {
    await atEnd(reply.status === "completed" ? reply.text : undefined)
  }
}

function frame(event: ResponseEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function snapshotOf(reply: ResponseStream): Snapshot {
  const { output, ...rest } = reply.snapshot()
  return { ...rest, output: output.map((item) => ({ ...item })) }
}
