/** The models that an agent offers, and the agent with the settings of a conversation (MOD-3, MOD-4). */
import { type ModelSettings, Refusal } from "@parlor/protocol"
import type { Harness } from "../ports/harness.ts"
import type { CallSettings, Model, ModelOffer } from "../ports/model.ts"
import type { Agent } from "./agent.ts"

export function fallbacksOf({ fallback }: Pick<Agent, "fallback">): readonly Model[] {
  if (fallback === undefined) return []
  return "run" in fallback ? [fallback] : fallback
}

/** Its own model first, then its fallbacks, then what its author listed. Each name once. */
export function offersOf(agent: Agent): readonly ModelOffer[] {
  if (agent.harness !== undefined) return hostedOffers(agent, agent.harness)
  const own = [agent.model, ...fallbacksOf(agent)].map((model) => ({ ...outline(model), load: async () => model }))
  return [...new Map([...(agent.offers?.() ?? []), ...own].map((offer) => [offer.name, offer])).values()].sort(
    (a, b) => place(own, a) - place(own, b),
  )
}

/** The agent as it speaks in a conversation with these settings. Refuses a model that is not offered or not set up. */
export async function withModelSettings(agent: Agent, settings: ModelSettings | null): Promise<Agent> {
  // Its harness knows what the session offers.
  if (agent.harness !== undefined) return agent
  const given = settings ?? {}
  const model = given.model === undefined ? agent.model : await loaded(agent, given.model)
  const fallback = given.fallbacks === undefined ? fallbacksOf(agent) : await allLoaded(agent, given.fallbacks)
  const modelSettings = mergedSettings(agent.modelSettings, given)
  if (settings === null && modelSettings.maxOutputTokens === undefined) return agent
  return { ...agent, model: limited(model, modelSettings.maxOutputTokens), fallback, modelSettings }
}

/** Throws unless the agent offers these models, they are set up, and a person may change these settings. */
export function checkModelSettings(agent: Agent, settings: ModelSettings): void {
  const allowed = personSettingsOf(agent)
  for (const name of Object.keys(settings) as (keyof ModelSettings)[])
    if (settings[name] !== undefined && !allowed.includes(name))
      throw new Refusal(
        "settings.not-allowed",
        `The agent "${agent.name}" does not allow changing ${name}.`,
        `/${name}`,
      )
  if (settings.model !== undefined) readyOffer(agent, settings.model, "/model")
  if (settings.mode !== undefined) checkMode(agent, settings.mode)
  for (const [index, name] of (settings.fallbacks ?? []).entries()) readyOffer(agent, name, `/fallbacks/${index}`)
}

/** Whether a person may choose this model, and it is ready. */
export function mayChooseModel(agent: Agent, model: string): boolean {
  const isReady = offersOf(agent).some(({ name, missing }) => name === model && missing === undefined)
  return isReady && personSettingsOf(agent).includes("model")
}

function personSettingsOf({ personSettings, harness }: Agent): readonly (keyof ModelSettings)[] {
  return personSettings ?? (harness === undefined ? DEFAULT_PERSON_SETTINGS : HOSTED_PERSON_SETTINGS)
}

/** Provider options can reach things of the account that are not this person's, such as stored responses. */
const DEFAULT_PERSON_SETTINGS: readonly (keyof ModelSettings)[] = [
  "model",
  "fallbacks",
  "temperature",
  "maxOutputTokens",
  "reasoning",
]

const HOSTED_PERSON_SETTINGS: readonly (keyof ModelSettings)[] = ["model", "mode"]

/** As reported by the agent's sessions so far (HST-12). */
function hostedOffers({ model }: Agent, harness: Harness): readonly ModelOffer[] {
  return harness.offers().models.map(({ id }) => ({ ...outline(model), name: id, load: async () => model }))
}

function checkMode(agent: Agent, mode: string): void {
  const modes = agent.harness?.offers().modes ?? []
  if (modes.some(({ id }) => id === mode)) return
  const names = modes.map(({ id }) => id).join(", ")
  throw new Refusal(
    "mode.not-offered",
    `The agent "${agent.name}" does not offer "${mode}". ${offered(names)}`,
    "/mode",
  )
}

/** What an agent offers is known once it has answered. */
function offered(names: string): string {
  return names === "" ? "It has not reported what it offers yet: send it a message first." : `It offers: ${names}.`
}

function readyOffer(agent: Agent, name: string, pointer?: string): ModelOffer {
  const offers = offersOf(agent)
  const offer = offers.find((one) => one.name === name)
  if (offer === undefined) {
    const names = offers.map((one) => one.name).join(", ")
    throw new Refusal(
      "model.not-offered",
      `The agent "${agent.name}" does not offer "${name}". ${offered(names)}`,
      pointer,
    )
  }
  if (offer.missing !== undefined)
    throw new Refusal("model.not-ready", `The model "${name}" is not set up. ${offer.missing}`, pointer)
  return offer
}

async function loaded(agent: Agent, name: string): Promise<Model> {
  const offer = readyOffer(agent, name)
  try {
    return await offer.load()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Refusal("model.not-ready", `The model "${name}" cannot be used: ${why}`)
  }
}

async function allLoaded(agent: Agent, names: readonly string[]): Promise<readonly Model[]> {
  const models: Model[] = []
  for (const name of names) models.push(await loaded(agent, name))
  return models
}

function mergedSettings(own: CallSettings = {}, given: ModelSettings): CallSettings {
  const { temperature, maxOutputTokens, reasoning, providerOptions } = given
  const options = { ...own.providerOptions }
  for (const [provider, values] of Object.entries(providerOptions ?? {}))
    options[provider] = { ...options[provider], ...values }
  return {
    ...own,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(Object.keys(options).length === 0 ? {} : { providerOptions: options }),
  }
}

/** A smaller maximum leaves more room for the prompt (CPT-11). */
function limited(model: Model, maxOutput: number | undefined): Model {
  if (maxOutput === undefined) return model
  return { ...outline(model), maxOutput, run: (request, options) => model.run(request, options) }
}

function outline({ name, window, maxOutput, price }: Model): Pick<Model, "name" | "window" | "maxOutput" | "price"> {
  return {
    name,
    window,
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(price === undefined ? {} : { price }),
  }
}

function place(own: readonly ModelOffer[], { name }: ModelOffer): number {
  const index = own.findIndex((one) => one.name === name)
  return index < 0 ? own.length : index
}
