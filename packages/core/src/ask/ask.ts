/**
 * A turn asks the person and waits (TRN-12).
 *
 *   open ──answer──▶ answered
 *     ├──time───────▶ expired
 *     └──turn ends──▶ withdrawn
 *
 * The row is the ask. Any device can answer it; the first valid answer wins because the store commits only one
 * decision. After a restart the turn finds its ask by the same id and keeps waiting, or takes the answer that arrived
 * in the meantime.
 */
import {
  type Address,
  type AskId,
  type AskRow,
  Fault,
  limits,
  type NewChange,
  parseRow,
  Refusal,
  type StatusRow,
  type StreamId,
  type TurnRow,
  type TxId,
} from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { type Decision, decide, expectFirst, readState } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"
import type { Owner } from "../log/owner.ts"
import { readTurn } from "../log/read-turn.ts"
import { type ConversationState, statusChange } from "../log/state.ts"
import type { Json } from "../ports/json.ts"
import { checkAnswer } from "./check-answer.ts"
import { grant } from "./grants.ts"

/** Interval between attempts when the store cannot be reached. */
const RETRY_MS = 1_000

export type Asked = Pick<AskRow, "kind" | "title" | "detail" | "call"> & {
  readonly options?: readonly string[]
  /** Any other text is an answer too. */
  readonly other?: boolean
  /** The tool it is about, if it may be allowed from now on. */
  readonly tool?: string
  readonly schema?: Json
  readonly expiresInMs?: number
  /** Which ask of its call it is, from 0. */
  readonly nth?: number
}

/** The turn that asks. */
export type Asking = { readonly owner: Owner; readonly turn: TurnRow; readonly signal: AbortSignal }

/** The answer, or undefined if the ask expired. */
export async function ask(node: LogAccess, asking: Asking, asked: Asked): Promise<Json | undefined> {
  const id = askId(asking.turn, asked)
  const row = (await readAsk(node, asking.owner.stream, id)) ?? (await open(node, asking, id, asked))
  const closed = row.state === "open" ? await untilClosed(node, asking, row, await timeLeft(node, row, asked)) : row
  return closed.state === "answered" ? (closed.answer as Json) : undefined
}

/** Without an id: the only open ask (API-22). */
export async function answer(
  node: LogAccess & Agents,
  address: Address,
  id: string | undefined,
  given: Json,
  { by, txid, always }: { readonly by: string; readonly txid: TxId; readonly always?: Always | undefined },
): Promise<AskRow> {
  const stream = await conversationAt(node, address)
  // Before the answer: the turn goes on at once, and its next call must find the permission.
  if (always !== undefined) {
    const row = await openAsk(node, stream.id, id)
    await allowFromNowOn(
      node,
      address,
      { row, given, agent: await askingAgent(node, stream.id, row) },
      { always, txid },
    )
  }
  const decided = await decide<AskRow>(
    node,
    stream.id,
    async (state) => {
      const row = id === undefined ? onlyOpen(state) : await askOf(node, state, id)
      if (row.state !== "open") throw closedAlready(row)
      checkAnswer(row, given)
      const answered = { ...row, state: "answered", answer: given as AskRow["answer"], answeredBy: by } as const
      const decision = await settled(node, state, answered)
      // Last, because reading takes time too.
      if (row.expiresAt !== null && row.expiresAt <= (await node.store.now()))
        throw closedAlready({ ...row, state: "expired" })
      return decision
    },
    { txid },
  )
  return expectFirst(decided).answer
}

export type Always = "conversation" | "agent"

async function openAsk(node: LogAccess, stream: StreamId, id: string | undefined): Promise<AskRow> {
  const state = await readState(node, stream)
  const row = id === undefined ? onlyOpen(state) : await askOf(node, state, id)
  if (row.state !== "open") throw closedAlready(row)
  return row
}

/** Undefined for the conversation's own agent. */
async function askingAgent(node: LogAccess, stream: StreamId, row: AskRow): Promise<string | undefined> {
  return (await readTurn(node.store, stream, row.turn))?.guest ?? undefined
}

type Allowing = { readonly row: AskRow; readonly given: Json; readonly agent: string | undefined }

async function allowFromNowOn(
  node: LogAccess,
  address: Address,
  { row, given, agent = address.agent }: Allowing,
  { always, txid }: { readonly always: Always; readonly txid: TxId },
): Promise<void> {
  if (row.tool === undefined || given !== true)
    throw new Refusal("ask.invalid", "Only a tool that is being allowed can be allowed from now on.", "/always")
  await grant(node, address, { agent, tool: row.tool }, always, txid)
}

function onlyOpen({ asks: [first, ...others] }: ConversationState): AskRow {
  if (first === undefined) throw new Refusal("ask.none", "Nothing waits for an answer here.")
  if (others.length === 0) return first
  const ids = [first, ...others].map((row) => row.id).join(", ")
  throw new Refusal("ask.several", `Answer each by its id: ${ids}.`)
}

async function askOf(node: LogAccess, state: ConversationState, id: string): Promise<AskRow> {
  const row = state.asks.find((one) => one.id === id) ?? (await readAsk(node, state.stream.id, id))
  if (row === undefined) throw new Refusal("ask.unknown", `There is no ask ${id} here.`)
  return row
}

/** An ask of this conversation in any state. */
export async function askAt(node: LogAccess & Agents, address: Address, id: string): Promise<AskRow> {
  const stream = await conversationAt(node, address)
  const row = await readAsk(node, stream.id, id)
  if (row === undefined) throw new Refusal("ask.unknown", `There is no ask ${id} here.`)
  return row
}

/** Withdraws the open asks of a turn that ends. */
export function withdrawals(state: ConversationState): readonly NewChange[] {
  return state.asks.map((row) => askChange({ ...row, state: "withdrawn" }))
}

async function open(node: LogAccess, { owner, turn, signal }: Asking, id: AskId, asked: Asked): Promise<AskRow> {
  const now = node.clock.now()
  const row: AskRow = {
    id,
    turn: turn.id,
    call: asked.call,
    kind: asked.kind,
    title: asked.title,
    detail: asked.detail,
    options: asked.options === undefined ? null : [...asked.options],
    ...(asked.other === true ? { other: true } : {}),
    ...(asked.tool === undefined ? {} : { tool: asked.tool }),
    schema: (asked.schema ?? null) as AskRow["schema"],
    expiresAt: asked.expiresInMs === undefined ? null : (await node.store.now()) + asked.expiresInMs,
    state: "open",
    answer: null,
    answeredBy: null,
  }
  await decide(
    node,
    owner.stream,
    (state) => {
      // A tool that outlived a stopped turn may still ask; its turn is over.
      signal.throwIfAborted()
      const status: StatusRow = { ...state.status, state: "waiting", since: now }
      return {
        answer: row,
        changes: [
          { collection: "asks", key: row.id, operation: "insert", row },
          { collection: "turns", key: turn.id, operation: "update", row: { ...turn, state: "waiting" } },
          statusChange(status),
        ],
        news: { event: "ask.opened", turn: turn.id, ask: id, kind: row.kind, title: row.title },
      }
    },
    { txid: owner.txid, owner },
  )
  return row
}

/** The time left to answer, by the store's clock and never longer than requested (QUE-19). */
async function timeLeft(node: LogAccess, { expiresAt }: AskRow, { expiresInMs }: Asked): Promise<number | undefined> {
  if (expiresAt === null) return undefined
  return Math.min(Math.max(0, expiresAt - (await node.store.now())), expiresInMs ?? Number.POSITIVE_INFINITY)
}

/**
 * Resolves with the row once it is no longer open; rejects if the turn is aborted. Checks whenever the stream changes
 * and when the time is up, and retries if the store cannot be reached, because no other event would follow.
 */
function untilClosed(
  node: LogAccess,
  { owner, signal }: Asking,
  row: AskRow,
  leftMs: number | undefined,
): Promise<AskRow> {
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = []
    let isOver = false
    const end = (work: () => void) => {
      if (isOver) return
      isOver = true
      for (const stop of ends) stop()
      work()
    }
    const later = (ms: number, work: () => Promise<void>) => {
      if (!isOver) ends.push(node.clock.after(ms, () => void work()))
    }
    const look = (): Promise<void> =>
      readAsk(node, owner.stream, row.id).then(
        (now) => {
          if (now !== undefined && now.state !== "open") end(() => resolve(now))
        },
        () => later(RETRY_MS, look),
      )
    const onTime = (): Promise<void> =>
      expire(node, owner, row).then(
        (now) => end(() => resolve(now)),
        (error) => (error instanceof Fault ? later(RETRY_MS, onTime) : end(() => reject(error))),
      )
    const onAbort = () => end(() => reject(signal.reason))
    signal.addEventListener("abort", onAbort, { once: true })
    ends.push(() => signal.removeEventListener("abort", onAbort))
    // On every event: the one for the answer may have been lost with a commit whose outcome was unclear.
    ends.push(node.hub.subscribe(owner.stream, () => void look()))
    if (leftMs !== undefined) later(leftMs, onTime)
    if (signal.aborted) onAbort()
    else void look()
  })
}

async function expire(node: LogAccess, owner: Owner, row: AskRow): Promise<AskRow> {
  const decided = await decide<AskRow>(
    node,
    owner.stream,
    async (state) => {
      const now = (await readAsk(node, owner.stream, row.id)) ?? row
      if (now.state !== "open") return { answer: now, changes: [] }
      return settled(node, state, { ...now, state: "expired" })
    },
    { txid: owner.txid, owner },
  )
  return expectFirst(decided).answer
}

/** Closes the ask and resumes the turn in one decision, so that no false state shows in between (TRN-2). */
async function settled(node: LogAccess, state: ConversationState, row: AskRow): Promise<Decision<AskRow>> {
  const isLast = state.asks.every((one) => one.id === row.id)
  if (!isLast || state.status.state !== "waiting") return { answer: row, changes: [askChange(row)] }
  const status: StatusRow = { ...state.status, state: "busy", since: node.clock.now() }
  const turn = await readTurn(node.store, state.stream.id, row.turn)
  const runs = turn && { ...turn, state: "running" as const }
  const turnChange: NewChange[] = runs ? [{ collection: "turns", key: runs.id, operation: "update", row: runs }] : []
  return { answer: row, changes: [askChange(row), ...turnChange, statusChange(status)] }
}

function askChange(row: AskRow): NewChange {
  return { collection: "asks", key: row.id, operation: "update", row }
}

/** The same for a call that runs again after a restart: it finds the answers that it already got. */
function askId(turn: TurnRow, asked: Asked): AskId {
  const about = asked.call ?? `${asked.kind}-${turn.steps}`
  const nth = asked.nth ? `.${asked.nth}` : ""
  const id = `${turn.id.replace(/^trn/, "ask")}.${about}`
  return `${id.slice(0, limits.nameLength - nth.length)}${nth}` as AskId
}

async function readAsk(node: LogAccess, stream: StreamId, id: string): Promise<AskRow | undefined> {
  const row = (await node.store.log.read(stream, [{ collection: "asks", key: id }]))?.lists[0]?.[0]
  return row === undefined ? undefined : parseRow("asks", row.value)
}

function closedAlready(row: AskRow): Refusal {
  const won = row.state === "answered" ? ` The answer was ${JSON.stringify(row.answer)}, by ${row.answeredBy}.` : ""
  return new Refusal("ask.closed", `This question is ${row.state}.${won}`)
}
