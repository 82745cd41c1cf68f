/** How opencode is started against a model server of our own. */
export function openCodeEnv(modelUrl: string): Readonly<Record<string, string>> {
  const mock = {
    npm: "@ai-sdk/openai-compatible",
    name: "Mock",
    options: { baseURL: modelUrl, apiKey: "none" },
    models: { mock: { name: "Mock", tool_call: true, limit: { context: 100_000, output: 4_000 } } },
  }
  const config = {
    provider: { mock },
    model: "mock/mock",
    small_model: "mock/mock",
    permission: { bash: "ask", edit: "allow" },
    autoupdate: false,
    share: "disabled",
  }
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_MODELS_FETCH: "1" }
}
