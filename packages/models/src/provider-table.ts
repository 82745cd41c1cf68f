/** The providers of the AI SDK: what their models need, and how one is created. */
import { type Account, accounts } from "./account.ts"
import type { AiSdkOptions } from "./ai-sdk/model.ts"
import type { AiSdkModel } from "./ai-sdk/version.ts"
import { anthropicTakes, googleTakes, openaiTakes } from "./attachments.ts"
import { ModelConfigError } from "./config.ts"

export type Provider = {
  /** Whose key its models use: `openai-chat` has the account of `openai`. */
  readonly account: keyof typeof accounts
  /** The variable that replaces its address (MOD-12). */
  readonly baseUrl: string
  readonly url: string
  /** The model that is used when there is a key and nobody names a model. */
  readonly usual: string
  readonly window: number
  readonly takes: NonNullable<AiSdkOptions["takes"]>
  readonly load: (settings: ProviderSettings, id: string) => Promise<AiSdkModel>
}
type ProviderSettings = { readonly apiKey: string; readonly baseURL: string }

const openai = {
  account: "openai",
  baseUrl: "PARLOR_OPENAI_BASE_URL",
  url: "https://api.openai.com/v1",
  usual: "gpt-5.6",
  window: 128_000,
  takes: openaiTakes,
} as const

/** In the order in which keys are looked for. A provider's package is loaded with its first model. */
export const providers: ReadonlyMap<string, Provider> = new Map(
  Object.entries({
    openai: {
      ...openai,
      load: async (settings, id) => (await import("@ai-sdk/openai")).createOpenAI(settings).responses(id),
    },
    "openai-chat": {
      ...openai,
      load: async (settings, id) => (await import("@ai-sdk/openai")).createOpenAI(settings).chat(id),
    },
    anthropic: {
      account: "anthropic",
      baseUrl: "ANTHROPIC_BASE_URL",
      url: "https://api.anthropic.com/v1",
      usual: "claude-sonnet-5-5",
      window: 200_000,
      takes: anthropicTakes,
      load: async (settings, id) => (await import("@ai-sdk/anthropic")).createAnthropic(settings)(id),
    },
    google: {
      account: "google",
      baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL",
      url: "https://generativelanguage.googleapis.com/v1beta",
      usual: "gemini-flash-latest",
      window: 1_000_000,
      takes: googleTakes,
      load: async (settings, id) => (await import("@ai-sdk/google")).createGoogleGenerativeAI(settings)(id),
    },
  } satisfies Record<string, Provider>),
)

const knownSpecs = `${[...providers.keys(), "compatible", "local"].map((name) => `${name}/<id>`).join(", ")} or demo`

export function parsedSpec(spec: string): { readonly provider: string; readonly id: string } {
  const slash = spec.indexOf("/")
  const [provider, id] = [spec.slice(0, slash), spec.slice(slash + 1)]
  if (slash === -1 || id === "") throw new ModelConfigError(`"${spec}" is not the name of a model. Use ${knownSpecs}.`)
  return { provider, id }
}

export function providerOf(name: string): Provider {
  const known = providers.get(name)
  if (known === undefined) throw new ModelConfigError(`"${name}" is not a known model provider. Use ${knownSpecs}.`)
  return known
}

/** The variable with a provider's key. */
export function keyVariable({ account }: Pick<Provider, "account">): string {
  return (accounts[account] satisfies Account).key
}
