/**
 * Looks at what agents observe, and wakes them when it changed (COD-6). Any process may look: the idempotency key of the
 * message names the observation, so one message results.
 */
import { COMPOSER_INPUT, type Millis, type Trigger, type TxId } from "@parlor/protocol"
import type { CommandAccess } from "../command/command-access.ts"
import { send } from "../command/send.ts"
import { reasonFields } from "../ports/log.ts"
import type { TriggerRecord } from "../ports/triggers.ts"
import { LATEST_MS, type Observation, tokenOf } from "../schedule/observation.ts"

const KINDS = ["observation"] as const
const BATCH = 64
const ROUNDS = 50
/** Wait after a failure. */
const FAULT_MS = 1_000

/** Wakes those whose observation came true, and returns when to look again. */
export async function observeDue(node: CommandAccess): Promise<Millis | undefined> {
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const due = await node.store.triggers.due(KINDS, node.clock.now(), { limit: BATCH })
      if (due.length === 0) return await node.store.triggers.nextLook(KINDS)
      for (const record of due) await look(node, record)
    }
    return node.clock.now()
  } catch (error) {
    node.log.warn("could not look at what agents observe", reasonFields(error))
    return node.clock.now() + FAULT_MS
  }
}

async function look(node: CommandAccess, record: TriggerRecord): Promise<void> {
  const observation = JSON.parse(record.value) as Observation
  const now = node.clock.now()
  const token = await tokenOf(node, record.person, observation.observed)
  const isOver = now >= observation.until
  if (!isOver && (token === undefined || token === observation.token)) {
    const waitMs = Math.min(observation.waitMs * 2, LATEST_MS)
    const value = JSON.stringify({ ...observation, waitMs })
    await node.store.triggers.change({
      ...record,
      value,
      lookAt: now + observation.waitMs,
      version: record.version + 1,
    })
    return
  }
  if (!isOver) await wake(node, record, observation)
  await node.store.triggers.delete(record.id)
}

async function wake(node: CommandAccess, record: TriggerRecord, it: Observation): Promise<void> {
  const { agent, branch, file } = it.observed
  const subject = file === null ? `${agent}/${branch}` : `${agent}/${branch}: ${file}`
  const none = { scheduleId: null, headers: null }
  const from = { firedAt: node.clock.now(), deliveryId: record.id, subject, depth: it.depth }
  const trigger: Trigger = { source: "observation", ...from, ...none }
  const what = file === null ? "has finished" : "has changed"
  const source = it.prompt === "" ? `${subject} ${what}.` : it.prompt
  try {
    await send(
      node,
      { agent: it.agent, branch: it.branch, person: record.person },
      {
        type: COMPOSER_INPUT,
        payload: { source },
        mode: "immediate",
        source: "observation",
        trigger,
        txid: node.ids.next("fire") as TxId,
        key: { key: `observe\n${record.id}`, hash: record.id },
        ...(record.stream === null ? {} : { stream: record.stream }),
      },
    )
  } catch (error) {
    node.log.warn("could not wake an agent for what it observes", { trigger: record.id, ...reasonFields(error) })
  }
}
