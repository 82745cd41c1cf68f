/**
 * An agent asks to be woken when something else changes (COD-6): another conversation of the same person, or a file of
 * one. Stored as a trigger of the waiting conversation, and deleted with it.
 *
 *   waiting ──looked at, the same or still busy──▶ waiting, longer until the next look
 *      └──changed──▶ one message is sent ──▶ done
 *
 * What was seen is a token: the number of the newest message once nothing runs there, or the hash of the file.
 */
import { type Address, parseRow, Refusal, type TurnRow } from "@parlor/protocol"
import type { Observed } from "../agent/messages-access.ts"
import { readState } from "../log/decide.ts"
import type { Owner } from "../log/owner.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import type { ScheduleAccess } from "./schedule-access.ts"

const MAX_WAITING = 20
const MAX_PROMPT_CHARS = 4_000
const SOONEST_MS = 1_000
export const LATEST_MS = 30_000

export type Observation = {
  /** Who is woken. */
  readonly agent: string
  readonly branch: string
  readonly observed: { readonly agent: string; readonly branch: string; readonly file: string | null }
  readonly prompt: string
  readonly depth: number
  /** What was there when it was asked for. */
  readonly token: string
  readonly until: number
  readonly waitMs: number
}

/** `call`: names this request within its turn, the same after a crash. Returns the id. */
export async function observe(
  node: ScheduleAccess,
  { owner, turn }: { readonly owner: Pick<Owner, "stream" | "address">; readonly turn: Pick<TurnRow, "id"> },
  observed: Required<Omit<Observed, "file" | "prompt">> & Pick<Observed, "file" | "prompt">,
  { call, depth }: { readonly call: string; readonly depth: number },
): Promise<string> {
  const { agent, branch, person } = owner.address
  const { prompt = "", file = null } = observed
  if (prompt.length > MAX_PROMPT_CHARS)
    throw new Refusal("request.invalid", `A prompt has at most ${MAX_PROMPT_CHARS} characters.`, "/prompt")
  const target = { agent: observed.agent, branch: observed.branch, file }
  if (target.agent === agent && target.branch === branch && file === null)
    throw new Refusal("agent.self", "An agent cannot observe its own conversation, only a file in it.")
  const now = node.clock.now()
  const value: Observation = {
    agent,
    branch,
    observed: target,
    prompt,
    depth,
    token: (await tokenOf(node, person, target)) ?? "",
    until: now + node.settings.triggers.wakeups.horizonMs,
    waitMs: SOONEST_MS,
  }
  const id = `obs_${turn.id.replace(/^trn_/, "")}.${call}`.slice(0, 120)
  const lookAt = now + SOONEST_MS
  const record = { id, kind: "observation", person, stream: owner.stream, lookAt, live: true, version: 1 } as const
  const stored: TriggerRecord = { ...record, createdAt: now, value: JSON.stringify(value) }
  const added = await node.store.triggers.add(stored, { per: "stream", most: MAX_WAITING })
  if (added === "full")
    throw new Refusal("wakeup.full", `This conversation already observes ${MAX_WAITING} things. Wait for one of them.`)
  if (added === "gone") throw new Refusal("conversation.unknown", "The conversation was deleted.")
  node.alarm.at(lookAt)
  return id
}

/** Undefined while something runs there or waits to: then it has not ended. */
export async function tokenOf(
  node: ScheduleAccess,
  person: string,
  { agent, branch, file }: Observation["observed"],
): Promise<string | undefined> {
  const address: Address = { agent, branch, person }
  const stream = await node.store.log.find({ kind: "conversation", ...address })
  if (stream === undefined || stream.head === 0) return "none"
  if (file !== null) {
    const row = (await node.store.log.read(stream.id, [{ collection: "files", key: file }]))?.lists[0]?.[0]
    return row === undefined ? "none" : parseRow("files", row.value).hash
  }
  const { status, queued, lastOrd } = await readState(node, stream.id)
  return status.turn !== null || (queued > 0 && status.held === null) ? undefined : String(lastOrd)
}
