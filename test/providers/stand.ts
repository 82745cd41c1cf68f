/** A conversation whose model is a provider on a real socket: aimock behind a wiretap that refuses what is invalid. */
import { type FixtureResponse, LLMock } from "@copilotkit/aimock"
import { type Agent, defineTool, type Model } from "@parlor/core"
import { MemoryStore, requestDefects } from "@parlor/core/testing"
import { resolveModel } from "@parlor/models"
import { systemClock } from "@parlor/server"
import { z } from "zod"
import { openStage, type Stage, type StageOptions } from "../scenario/stage.ts"
import { requestOf } from "./wire-request.ts"
import { openWiretap, type Wiretap } from "./wiretap.ts"

export const secret = "sk-test-0123456789"

export type Provider = { readonly name: string; readonly spec: string; readonly adapter?: "ai-sdk" | "lean" }

export const providers: readonly Provider[] = [
  { name: "OpenAI", spec: "openai/gpt-5.6" },
  { name: "Anthropic", spec: "anthropic/claude-sonnet-5-5" },
  { name: "Google", spec: "google/gemini-flash-latest" },
  { name: "OpenAI-compatible, lean", spec: "compatible/some/model", adapter: "lean" },
  { name: "OpenAI-compatible, AI SDK", spec: "compatible/some/model", adapter: "ai-sdk" },
]

export const weather = defineTool({
  name: "weather",
  description: "The weather in a city.",
  input: z.object({ city: z.string() }),
  repeatable: true,
  run: async ({ city }) => ({ city, celsius: city === "Oslo" ? 4 : 21 }),
})

const broken = defineTool({
  name: "broken",
  description: "Never works.",
  input: z.object({}),
  repeatable: false,
  run: async () => Promise.reject(new Error("no wires")),
})

type Answer = FixtureResponse
export type Stand = {
  readonly stage: Stage
  readonly tap: Wiretap
  /** What the provider says next, and then; "Fine." when there is nothing left. */
  readonly answers: Answer[]
  close(): Promise<void>
}

export type StandOptions = Omit<StageOptions, "agent"> & {
  readonly agent?: Partial<Agent>
  readonly fallback?: never
  readonly fallbackTo?: Provider
  /** With a model there is an agent "critic" to be named as a guest. */
  readonly critic?: Provider
  readonly env?: Readonly<Record<string, string>>
}

const quick = { retry: { tries: 3, baseMs: 10, maxMs: 20 } }

export async function openStand(provider: Provider, options: StandOptions = {}): Promise<Stand> {
  const answers: Answer[] = []
  const mock = new LLMock({ port: 0, chunkSize: 5 })
  mock.on({ predicate: () => true }, () => answers.shift() ?? { content: "Fine." })
  await mock.start()
  const tap = await openWiretap(mock.url, (path, body) => requestDefects(requestOf(path, body)))
  const model = await modelOf(provider, tap.url, options.env)
  const fallback = options.fallbackTo && (await modelOf(options.fallbackTo, tap.url, options.env))
  const others = options.critic ? [critic(await modelOf(options.critic, tap.url, options.env))] : []
  const { settings, agent, tools = [weather, broken], ...rest } = options
  const stage = await openStage({
    store: new MemoryStore(systemClock),
    ...rest,
    others,
    tools,
    settings: { ...quick, ...settings },
    agent: { model, instructions: "Be brief.", ...(fallback ? { fallback } : {}), ...agent },
  })
  return {
    stage,
    tap,
    answers,
    async close() {
      await stage.close()
      await tap.close()
      await mock.stop()
    },
  }
}

function critic(model: Model): Agent {
  return { name: "critic", description: "", instructions: "Be critical.", model, tools: [weather], slashCommands: [] }
}

function modelOf({ spec, adapter }: Provider, url: string, env: StandOptions["env"] = {}): Promise<Model> {
  return resolveModel(spec, {
    OPENAI_API_KEY: secret,
    OPENAI_BASE_URL: `${url}/v1`,
    PARLOR_OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: secret,
    ANTHROPIC_BASE_URL: `${url}/v1`,
    GOOGLE_GENERATIVE_AI_API_KEY: secret,
    GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/v1beta`,
    PARLOR_COMPATIBLE_ADAPTER: adapter,
    ...env,
  })
}

/** Tokens under the names of every wire format. */
export function tokens(input: number, output: number, cached = 0) {
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      prompt_tokens: input,
      completion_tokens: output,
      ...(cached === 0 ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    },
  }
}

export function toolCall(name: string, input: unknown, id: string) {
  return { name, arguments: JSON.stringify(input), id }
}
