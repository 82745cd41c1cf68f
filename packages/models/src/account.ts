/** The account behind a model: what its provider is called, where its key comes from and where its bills are. */
export type Account = {
  readonly name: string
  /** The variable with its key. */
  readonly key: string
  readonly billing?: string
}

export const accounts = {
  openai: {
    name: "OpenAI",
    key: "OPENAI_API_KEY",
    billing: "https://platform.openai.com/settings/organization/billing",
  },
  anthropic: { name: "Anthropic", key: "ANTHROPIC_API_KEY", billing: "https://platform.claude.com/settings/billing" },
  google: { name: "Google", key: "GOOGLE_GENERATIVE_AI_API_KEY", billing: "https://aistudio.google.com" },
  compatible: { name: "the server at OPENAI_BASE_URL", key: "OPENAI_API_KEY" },
} as const satisfies Record<string, Account>

/** By the AI SDK's name of a provider: `openai.responses`, `anthropic.messages`. */
export function accountOf(provider: string): Account | undefined {
  const name = provider.split(".")[0] ?? ""
  return name in accounts ? accounts[name as keyof typeof accounts] : undefined
}
