/** AG-UI over a conversation. Thread id = branch, message id = idempotency key, interrupts = asks. */
import {
  type AgUiAct,
  AgUiRun,
  type AgUiRunOptions,
  agUiAnswer,
  agUiFrame,
  agUiMessages,
  clientIdOf,
  parsePlace,
  readAgUiInput,
} from "@parlor/adapters"
import type { Json } from "@parlor/core"
import { type Address, type AskRow, type MessageId, parseOffset, Refusal, type Snapshot } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"
import type { EventAnswer } from "../streams/event-answer.ts"
import { composerInputOf } from "../turns/client-input.ts"
import { followAnswer } from "../turns/follow-turns.ts"
import { sendNew } from "../turns/send-new.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { agUiRun, agUiConnect, agUiStop }

/** How many messages a snapshot has; older ones stay on the server. */
const SNAPSHOT_MESSAGES = 200

async function agUiRun(services: Services, call: Call<"agUiRun">): Promise<EventAnswer> {
  const { threadId, runId } = call.body
  const act = inRun(() => readAgUiInput(call.body))
  const address = { agent: call.params.agent, branch: threadId, person: call.caller.person }
  const run = { threadId, runId }
  if (act.kind === "resume") {
    const ask = await answerAll(services, call, { address, entries: act.entries })
    services.sends.giveBack(call.caller)
    return streamTurn(services, { address, turn: ask.turn, run: { ...run, afterAsk: ask.id } })
  }
  await expectNoInterrupt(services, address, act)
  const payload = { ...(await composerInputOf(services, address.person, act)), clientId: act.id }
  const sent = await sendNew(services, call, { address, payload, key: `ag-ui:${act.id}` })
  if (sent.txid !== call.txid) services.sends.giveBack(call.caller)
  if (sent.turn) return streamTurn(services, { address, turn: sent.turn, run })
  const after = parseOffset(sent.offset)
  return streamOf(services, {
    address,
    after: typeof after === "number" ? after : 0,
    message: sent.message as MessageId,
    run: new AgUiRun(run),
  })
}

async function agUiConnect(services: Services, call: Call<"agUiConnect">): Promise<EventAnswer | undefined> {
  const address = addressOf(call)
  const given = call.query.after ?? call.header("last-event-id")
  if (given !== undefined && given !== "") return continueAfter(services, call, { address, given })
  const snapshot = await services.runtime.snapshot(address, { messages: SNAPSHOT_MESSAGES })
  const { status, asks } = snapshot
  const turn = status.busyWith === "turn" ? status.turn : null
  const run = { threadId: address.branch, runId: call.query.runId ?? turn ?? "idle" }
  const first = [
    agUiFrame({ type: "RUN_STARTED", ...run, protocolVersion: "1.0" }),
    agUiFrame({ type: "MESSAGES_SNAPSHOT", messages: agUiMessages(messagesBefore(snapshot, turn)) }),
  ]
  if (turn === null) {
    const last = agUiFrame({ type: "RUN_FINISHED", ...run, outcome: { type: "success" } })
    return { frames: () => framesOf([...first, last]) }
  }
  const head = parseOffset(snapshot.offset)
  const open = new Set(asks.map(({ id }) => String(id)))
  const isClosed = (ask: string, at: number) => typeof head === "number" && at <= head && !open.has(ask)
  return streamTurn(services, { address, turn, run: { ...run, whole: { isClosed } }, first })
}

async function agUiStop({ runtime }: Services, call: Call<"agUiStop">): Promise<void> {
  const stop = { turn: undefined, onQueue: undefined, txid: call.txid }
  await runtime.stop(addressOf(call), stop).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === "turn.none")) throw error
  })
}

type Continuing = { readonly address: Address; readonly given: string }

/** The rest of a run, byte for byte as it would have come. */
async function continueAfter(services: Services, call: Call<"agUiConnect">, { address, given }: Continuing) {
  const after = parsePlace(given)
  if (after === undefined) throw new Refusal("offset.invalid", `"${given}" is not the id of an event.`, "after")
  const turn = await services.runtime.turn(address, after.turn)
  const head = parseOffset((await services.runtime.snapshot(address, { messages: 1 })).offset)
  const seq = parseOffset(after.offset)
  if (typeof seq !== "number" || typeof head !== "number" || seq > head || seq <= (turn.began ?? 0)) throw gone()
  const { id: stream } = await services.runtime.conversation(address)
  const [stored] = (await services.runtime.events(stream, seq - 1, { count: 1, bytes: 1 }))?.changes ?? []
  // The client has an unknown part of a text whose deltas were dropped (LOG-36).
  if (stored?.seq !== seq) throw gone()
  const run = { threadId: address.branch, runId: call.query.runId ?? after.turn, after }
  return streamTurn(services, { address, turn: after.turn, run })
}

function gone(): Refusal {
  return new Refusal("offset.gone", "There is no event with this id anymore. Connect without one.", "after")
}

/** All messages, except what the running turn says: its events follow. */
function messagesBefore({ messages }: Snapshot, turn: string | null): Snapshot["messages"] {
  return messages.filter((message) => message.role === "person" || turn === null || message.turn !== turn)
}

/** A thread with open interrupts takes no new input, except a repeat of the message that led to them. */
async function expectNoInterrupt({ runtime }: Services, address: Address, act: Extract<AgUiAct, { kind: "send" }>) {
  const { asks, messages } = await runtime.snapshot(address, { messages: SNAPSHOT_MESSAGES }).catch(missingIsEmpty)
  const isRepeat = messages.some((message) => clientIdOf(message) === act.id)
  if (asks.length === 0 || isRepeat) return
  const ids = asks.map(({ id }) => id).join(", ")
  throw new RunRefusal("request.invalid", `Answer the open interrupt first, with resume: ${ids}.`, "/resume")
}

type Answering = {
  readonly address: Address
  readonly entries: Extract<AgUiAct, { kind: "resume" }>["entries"]
}

async function answerAll(services: Services, call: Call<"agUiRun">, { address, entries }: Answering): Promise<AskRow> {
  const { runtime } = services
  const { asks } = await runtime.snapshot(address, { messages: 1 })
  for (const [index, { interruptId }] of entries.entries())
    await runtime.ask(address, interruptId).catch((error: unknown) => refuseRun(error, `/resume/${index}`))
  const missing = asks.find(({ id }) => !entries.some(({ interruptId }) => interruptId === id))
  if (missing !== undefined)
    throw new RunRefusal("request.invalid", `The interrupt ${missing.id} is open too. Answer all of them.`, "/resume")
  let last: AskRow | undefined
  for (const [index, entry] of entries.entries())
    last = await answerOne(services, call, { address, entry }).catch((error: unknown) =>
      refuseRun(error, `/resume/${index}`),
    )
  if (last === undefined) throw new RunRefusal("request.invalid", "There is no answer.", "/resume")
  return last
}

type AnsweringOne = { readonly address: Address; readonly entry: Answering["entries"][number] }

/** An abandoned approval is denied; an abandoned question ends the turn, which cannot continue without an answer. */
async function answerOne({ runtime }: Services, call: Call<"agUiRun">, { address, entry }: AnsweringOne) {
  const ask = await runtime.ask(address, entry.interruptId)
  if (ask.state !== "open") return ask
  if (entry.status === "cancelled" && ask.kind !== "approval") {
    await runtime.stop(address, { turn: ask.turn, onQueue: undefined, txid: call.txid })
    return ask
  }
  const answer = entry.status === "cancelled" ? false : agUiAnswer(ask, entry.payload)
  return runtime.answer(address, ask.id, answer as Json, { by: "person", txid: call.txid }).catch((error: unknown) => {
    // Another device answered first: the turn continues with that answer.
    if (error instanceof Refusal && error.code === "ask.closed") return runtime.ask(address, ask.id)
    throw error
  })
}

type Streaming = {
  readonly address: Address
  readonly turn: string
  readonly run: AgUiRunOptions
  readonly first?: readonly string[]
}

async function streamTurn(services: Services, { address, turn, run, first }: Streaming): Promise<EventAnswer> {
  const { began, message } = await services.runtime.turn(address, turn)
  return streamOf(services, { address, after: began ?? 0, message, run: new AgUiRun(run), ...(first && { first }) })
}

type Section = {
  readonly address: Address
  readonly after: number
  readonly message: MessageId
  readonly run: AgUiRun
  readonly first?: readonly string[]
}

async function streamOf(
  services: Services,
  { address, after, message, run, first = [] }: Section,
): Promise<EventAnswer> {
  const { runtime, log } = services
  const { id: stream } = await runtime.conversation(address)
  async function* frames(signal: AbortSignal): AsyncGenerator<string> {
    yield* first
    try {
      for await (const event of followAnswer({ runtime, stream, after, message, signal })) {
        for (const { event: shown, place } of run.read(event)) yield agUiFrame(shown, place)
        if (run.ended) return
      }
    } catch (error) {
      if (!(error instanceof Refusal)) log.warn("AG-UI stream interrupted", { reason: String(error) })
      const known = error instanceof Refusal ? error : undefined
      const words = known?.message ?? "The stream was interrupted. Connect again to continue."
      yield agUiFrame({ type: "RUN_ERROR", message: words, ...(known && { code: known.code }) })
    }
  }
  return { frames }
}

/** A refusal of an input that could be read: it is reported as an event, as the protocol requires. */
export class RunRefusal extends Refusal {}

function inRun<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return refuseRun(error)
  }
}

function refuseRun(error: unknown, pointer?: string): never {
  throw error instanceof Refusal ? new RunRefusal(error.code, error.message, pointer ?? error.pointer) : error
}

async function* framesOf(frames: readonly string[]): AsyncGenerator<string> {
  yield* frames
}

const EMPTY = { asks: [] as readonly AskRow[], messages: [] as Snapshot["messages"] }

function missingIsEmpty(error: unknown): Pick<Snapshot, "messages"> & { readonly asks: readonly AskRow[] } {
  if (error instanceof Refusal && error.code === "conversation.unknown") return EMPTY
  throw error
}
