/** OpenAI's models and chat completions: an agent is a model, a chat is a conversation. */
import { ChatCompletion, openaiError, saidInMessages } from "@parlor/adapters"
import { type AgentView, Refusal, type TurnEvent, toProblem } from "@parlor/protocol"
import { replyEvents } from "../openai/reply.ts"
import { destinationOf, modelOf, sendCallOf } from "../openai/send-call.ts"
import { type Started, startReply } from "../openai/start.ts"
import { checkChat } from "../openai/supported.ts"
import type { Call, Services } from "../services.ts"
import type { EventAnswer } from "../streams/event-answer.ts"
import type { WaitAnswer } from "../streams/wait-answer.ts"

export const handlers = { openaiModels, openaiModel, openaiChat }

const DONE = "data: [DONE]\n\n"

async function openaiModels({ runtime }: Services) {
  return { object: "list" as const, data: runtime.agents().map(modelView) }
}

async function openaiModel(services: Services, call: Call<"openaiModel">) {
  const { agent } = modelOf(services, call.params.model)
  const found = services.runtime.agents().find(({ name }) => name === agent)
  if (found === undefined) throw new Refusal("agent.unknown", `There is no agent "${agent}".`, "/model")
  return { ...modelView(found), id: call.params.model }
}

function modelView({ name, description }: AgentView) {
  return { id: name, object: "model" as const, created: 0, owned_by: "parlor", name, description }
}

async function openaiChat(services: Services, call: Call<"openaiChat">): Promise<EventAnswer | WaitAnswer> {
  const { model, messages, store, stream, stream_options } = call.body
  checkChat(call.body)
  const said = saidInMessages(messages)
  const sending = sendCallOf(services, call)
  const to = destinationOf(services, sending, model)
  const { place, atEnd } = await startReply(services, sending, { to, said, store })
  const reply = new ChatCompletion({
    id: `chatcmpl-${place.message}${place.ask === undefined ? "" : `.${place.ask}`}`,
    model,
    created: place.created,
    afterAsk: place.ask,
    includeUsage: stream === true && stream_options?.include_usage === true,
  })
  const events = await replyEvents(services, call.caller.person, place)
  const following = { reply, events, atEnd }
  return stream
    ? { frames: (signal) => frames(services, following, signal) }
    : { wait: (signal) => whole(following, signal) }
}

type Following = {
  readonly reply: ChatCompletion
  readonly events: (signal: AbortSignal) => AsyncGenerator<TurnEvent>
  readonly atEnd: Started["atEnd"]
}

async function* frames(services: Services, following: Following, signal: AbortSignal): AsyncGenerator<string> {
  const { reply, events, atEnd } = following
  try {
    for await (const event of events(signal)) {
      for (const chunk of reply.read(event)) yield frame(chunk)
      if (reply.ended) break
    }
    if (reply.error !== undefined) yield errorFrame(failed(reply.error))
  } catch (error) {
    if (!(error instanceof Refusal)) services.log.warn("chat stream interrupted", { reason: String(error) })
    const known = error instanceof Refusal ? error : failed("The stream was interrupted.")
    yield errorFrame(known)
  } finally {
    await atEnd(reply.ended && reply.error === undefined ? reply.text : undefined)
  }
  yield DONE
}

async function whole({ reply, events, atEnd }: Following, signal: AbortSignal) {
  try {
    for await (const event of events(signal)) {
      reply.read(event)
      if (reply.ended) break
    }
  } finally {
    await atEnd(reply.ended && reply.error === undefined ? reply.text : undefined)
  }
  if (reply.error !== undefined) throw failed(reply.error)
  return reply.whole()
}

function failed(detail: string): Refusal {
  return new Refusal("turn.failed", detail)
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function errorFrame({ code, message, pointer }: Refusal): string {
  return frame(openaiError(toProblem(code, message, pointer)))
}
