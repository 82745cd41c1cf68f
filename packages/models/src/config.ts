/** Variables of the environment that models read. A variable that is set to nothing counts as not set. */
import type { Model } from "@parlor/core"
import type { ModelPrice } from "@parlor/protocol"

export type Env = Readonly<Record<string, string | undefined>>

/** What is known of a model; the config may say it for any model (MOD-6). */
export type ModelInfo = { readonly window?: number; readonly maxOutput?: number; readonly price?: ModelPrice }

/** The configuration names no usable model. The message says what to set. */
export class ModelConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "ModelConfigError"
  }
}

export function setting(env: Env, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === "" ? undefined : value
}

export function httpUrl(env: Env, name: string): string | undefined {
  const value = setting(env, name)
  if (value === undefined) return undefined
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value
  throw new ModelConfigError(`${name} is not an http address. It looks like http://127.0.0.1:11434/v1.`)
}

/** The window and price that the environment sets for every model. */
export function infoIn(env: Env): Pick<ModelInfo, "window" | "price"> {
  const window = windowIn(env)
  const price = priceIn(env)
  return { ...(window === undefined ? {} : { window }), ...(price === undefined ? {} : { price }) }
}

export function withInfo(model: Model, { window, maxOutput, price }: ModelInfo): Model {
  return {
    ...model,
    ...(window === undefined ? {} : { window }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(price === undefined ? {} : { price }),
  }
}

const priceForm =
  'It looks like "2.50,10", "2.50,10,0.25" or "2.50,10,0.25,3.125": dollars per million tokens of input, output, ' +
  "input read from the cache and input written to it."

function windowIn(env: Env): number | undefined {
  const given = setting(env, "PARLOR_MODEL_WINDOW")
  if (given === undefined) return undefined
  const tokens = Number(given)
  if (Number.isSafeInteger(tokens) && tokens > 0) return tokens
  throw new ModelConfigError("PARLOR_MODEL_WINDOW is not a number of tokens. It looks like 32000.")
}

function priceIn(env: Env): ModelPrice | undefined {
  const given = setting(env, "PARLOR_MODEL_PRICE")
  if (given === undefined) return undefined
  const [input, output, cached, cacheWrite, ...more] = given.split(",").map(dollars)
  if (input === undefined || output === undefined || more.length > 0)
    throw new ModelConfigError(`PARLOR_MODEL_PRICE is not a valid price. ${priceForm}`)
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  }
}

function dollars(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  if (Number.isFinite(value) && value >= 0) return value
  throw new ModelConfigError(`PARLOR_MODEL_PRICE is not a valid price: "${text.trim()}". ${priceForm}`)
}
