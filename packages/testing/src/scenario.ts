/**
 * A conversation with an agent, without a network and without an API key: a scripted model, an in-memory store, and a
 * clock that advances only as far as needed. Everything else is the code that a server runs.
 */
import { type AgentDefinition, type Config, defineConfig } from "@parlor/agent"
import type { Json } from "@parlor/core"
import {
  type Address,
  COMPOSER_INPUT,
  changeOf,
  emptyRows,
  fold,
  parseComposer,
  Refusal,
  type TxId,
} from "@parlor/protocol"
import type { ScenarioOptions, Scene } from "./scene.ts"
import { sceneTriggers } from "./scene-triggers.ts"
import { openAsks, pass, settle } from "./settle.ts"
import { lineOf } from "./transcript.ts"
import { LEASE_MS, modelOf, openWorld, type World } from "./world.ts"

const txid = "tx_scenario" as TxId

export async function scenario(
  agents: Config | AgentDefinition | readonly AgentDefinition[],
  options: ScenarioOptions = {},
): Promise<Scene> {
  const config = configOf(agents)
  const first = config.agents[0]
  const address = {
    agent: options.agent ?? first?.name ?? "",
    person: options.person ?? "ana",
    branch: options.branch ?? "main",
  }
  return sceneAt(await openWorld(config, address, options), address)
}

function sceneAt(world: World, address: Address): Scene {
  const { store, clock } = world
  world.people.add(address.person)
  const rows = async () => {
    const stream = await world.process.runtime.conversation(address)
    const page = await store.log.events(stream.id, 0, { count: 1_000_000, bytes: Number.MAX_SAFE_INTEGER })
    return fold(emptyRows(), (page?.changes ?? []).map(changeOf))
  }
  const messages = async () => [...(await rows()).messages.values()].sort((a, b) => a.ord - b.ord)
  const settled = () => settle(world, rows)
  return {
    clock,
    get runtime() {
      return world.process.runtime
    },
    rows,
    messages,
    settled,
    ...sceneTriggers(world, address, settled),
    async send(message, { guests, mode = "immediate", wait } = {}) {
      const sent = await world.process.runtime.send(address, {
        ...(typeof message === "string" ? await typed(world, address, message) : message),
        ...(guests === undefined ? {} : { guests }),
        mode,
        source: "person",
        txid,
      })
      if (wait !== false) await settled()
      return sent
    },
    async answer(answer) {
      const [ask] = openAsks(await rows())
      if (ask === undefined) throw new Refusal("ask.unknown", "There is no open ask.")
      await world.process.runtime.answer(address, ask.id, answer, { by: address.person, txid })
      await settled()
    },
    async stop() {
      await world.process.runtime.stop(address, { turn: undefined, onQueue: undefined, txid })
      await settled()
    },
    pass: (span) => pass(world, span),
    posts: () => world.posted,
    transcript: async () => (await messages()).map(lineOf),
    slashCommands: async () => [...(await rows()).slashCommands.values()],
    asks: async () => openAsks(await rows()),
    requests: (agent = address.agent) => modelOf(world.models, agent).requests,
    with: (place) => sceneAt(world, { ...address, ...place }),
    async crash() {
      world.process.kill()
      await clock.advance(LEASE_MS * 2)
      world.process = await world.start()
      await settled()
    },
    close: () => world.process.runtime.close(),
  }
}

/** Parses commands and mentions as the page and the terminal do, and keeps the text. */
async function typed(world: World, address: Address, source: string): Promise<{ type: string; payload: Json }> {
  const { slashCommands: commands } = await world.process.runtime.snapshot(address, { messages: 1 })
  const agents = world.process.runtime.agents().map(({ name }) => name)
  const input = parseComposer(source, { commands: commands.map(({ name }) => name), agents })
  return { type: COMPOSER_INPUT, payload: input as unknown as Json }
}

function configOf(agents: Config | AgentDefinition | readonly AgentDefinition[]): Config {
  if ("agents" in agents) return agents
  return defineConfig({ agents: "name" in agents ? [agents] : agents })
}
