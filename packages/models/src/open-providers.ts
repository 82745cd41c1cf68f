/** The port `ModelProviders`: which providers can be connected, and what is connected now (MOD-15 to MOD-17). */
import type { ModelProviders, ProviderAccount, ProviderOutline } from "@parlor/core"
import { checkProvider } from "./check-provider.ts"
import type { Env } from "./config.ts"
import { type ConnectedAccounts, isInEnvironment } from "./credential.ts"
import type { LocalServers } from "./local.ts"
import { decidingVariable, defaultModelSpec } from "./providers.ts"

type OpenProvidersOptions = {
  readonly env: Env
  readonly local: LocalServers
  /** Connected when the server starts. */
  readonly accounts: readonly ProviderAccount[]
  /** Called when the accounts are others than before; resolves when new turns use them. */
  readonly changed: () => Promise<void>
  /** How long a test may take. */
  readonly limitMs?: number
}

export type OpenedProviders = ModelProviders & { readonly connected: ConnectedAccounts }

export function openProviders({ env, local, accounts, changed, limitMs }: OpenProvidersOptions): OpenedProviders {
  let now = accounts
  const connected: ConnectedAccounts = () => now
  return {
    connected,
    known: () => outlines.map((outline) => ({ ...outline, isInEnvironment: isInEnvironment(outline.provider, env) })),
    local: () => local.search(),
    inUse: () => ({ model: defaultModelSpec(env, connected), variable: decidingVariable(env)?.variable ?? null }),
    check: (candidate) => checkProvider(candidate, { env, local, limitMs }),
    async use(next) {
      if (JSON.stringify(next) === JSON.stringify(now)) return
      now = next
      await changed()
    },
  }
}

const outlines: readonly Omit<ProviderOutline, "isInEnvironment">[] = [
  {
    provider: "anthropic",
    title: "Anthropic",
    needs: "key",
    keyPage: "https://platform.claude.com/settings/keys",
    variable: "ANTHROPIC_API_KEY",
  },
  {
    provider: "openai",
    title: "OpenAI",
    needs: "key",
    keyPage: "https://platform.openai.com/api-keys",
    variable: "OPENAI_API_KEY",
  },
  {
    provider: "google",
    title: "Google",
    needs: "key",
    keyPage: "https://aistudio.google.com/apikey",
    variable: "GOOGLE_GENERATIVE_AI_API_KEY",
  },
  { provider: "compatible", title: "Other server", needs: "url", keyPage: null, variable: "OPENAI_BASE_URL" },
  { provider: "local", title: "This machine", needs: "nothing", keyPage: null, variable: null },
]
