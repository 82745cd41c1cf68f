/** Triggers of a scene: finds them by their declared names, fires them, delivers to them, lists their results. */
import type { Json } from "@parlor/core"
import { type Address, COMPOSER_INPUT, type Trigger, type TxId } from "@parlor/protocol"
import { subjectOf } from "./fake-mcp.ts"
import type { Scene } from "./scene.ts"
import type { World } from "./world.ts"

type TriggerActs = Pick<Scene, "fire" | "deliver" | "firings" | "wakeups" | "changed">

const txid = "tx_scenario" as TxId

export function sceneTriggers(world: World, address: Address, settled: () => Promise<void>): TriggerActs {
  const { person, agent, branch } = address
  let deliveries = 0
  return {
    async fire(name) {
      const { runtime } = world.process
      const { id } = named(name, await runtime.listSchedules(person))
      const sent = await runtime.fireSchedule(person, id, { txid: runtime.txid() })
      await settled()
      return sent
    },
    async deliver(name, body, { id, headers = {} } = {}) {
      const { runtime } = world.process
      const hook = named(name, await hooksOf(world, person))
      deliveries += 1
      const delivery = { id: id ?? `delivery-${deliveries}`, body, headers: lowercased(headers) }
      const delivered = await runtime.deliver(hook, delivery, { txid: runtime.txid() })
      await settled()
      return delivered
    },
    async firings(name) {
      const { runtime } = world.process
      const schedule = (await runtime.listSchedules(person)).find((one) => isNamed(name, one))
      if (schedule !== undefined) return (await runtime.openSchedule(person, schedule.id)).firings
      return (await runtime.openHook(person, named(name, await hooksOf(world, person)).id)).firings
    },
    async wakeups() {
      const all = await world.process.runtime.listSchedules(person, { agent, branch })
      return all.filter(({ source, state }) => source === "self" && state !== "done")
    },
    async changed(server, what) {
      const { clock, process } = world
      const subject = subjectOf(what)
      for (const on of world.mcp.wakes(server, subject)) {
        const none = { scheduleId: null, deliveryId: null, headers: null }
        const trigger: Trigger = { source: "mcp-event", firedAt: clock.now(), subject, ...none }
        const to = { agent: on.agent, branch: on.branch ?? "main", person: on.person ?? person }
        const payload: Json = { source: on.text }
        const message = { type: COMPOSER_INPUT, payload, mode: "immediate", source: `mcp:${server}`, trigger } as const
        await process.runtime.send(to, { ...message, txid })
      }
      await settled()
    },
  }
}

async function hooksOf(world: World, person: string) {
  return (await world.process.runtime.listHooks(person)).map(({ hook }) => hook)
}

type Named = { readonly id: string; readonly name: string }

function named<T extends Named>(name: string, all: readonly T[]): T {
  const found = all.find((one) => isNamed(name, one))
  if (found !== undefined) return found
  throw new Error(
    `There is no trigger "${name}". Available: ${all.map((one) => one.name || one.id).join(", ") || "nothing"}.`,
  )
}

function isNamed(name: string, one: Named): boolean {
  return one.name === name || one.id === name
}

function lowercased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
