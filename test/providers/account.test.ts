/** [MOD-15, MOD-17] Accounts of providers: how they are tested, and which one a model uses. */
import { findLocalServers, openProviders, resolveModel } from "@parlor/models"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type AccountServer, openAccountServer } from "./account-server.ts"

const KEY = "sk-account-key-0123456789abcdefWXYZ"

let server: AccountServer
beforeEach(async () => {
  server = await openAccountServer(KEY)
  server.models = ["gpt-5.6"]
})
afterEach(() => server.close())

function providersWith(env: Readonly<Record<string, string>> = {}, limitMs?: number) {
  const all = { ...server.env, PARLOR_LOCAL_MODELS: "off", ...env }
  const local = findLocalServers(all)
  return openProviders({
    env: all,
    local,
    accounts: [],
    changed: async () => {},
    ...(limitMs === undefined ? {} : { limitMs }),
  })
}

const candidate = { provider: "openai", key: KEY, url: null, model: undefined } as const

describe("testing an account", () => {
  test("[MOD-15] a provider that never answers ends the test after its time limit", async () => {
    server.mood = "silent"
    const check = await providersWith({}, 200).check(candidate)
    expect(check).toEqual({ ok: false, why: "unreachable", detail: "OpenAI did not answer within 0.2 seconds." })
  })

  test("[MOD-15] the key to test is used, not the one in the environment", async () => {
    const providers = providersWith({ OPENAI_API_KEY: "sk-environment-key", PARLOR_MODEL: "demo" })
    expect(await providers.check(candidate)).toMatchObject({ ok: true, model: "gpt-5.6" })
    expect(server.asked.map(({ key }) => key)).toEqual([KEY, KEY])
    expect(providers.inUse()).toEqual({ model: "demo", variable: "PARLOR_MODEL" })
  })

  test("[MOD-16] no error contains the key, even if the provider repeats it", async () => {
    const odd = "odd.key.without.a.prefix.123456"
    server.key = "something-else"
    const check = await providersWith().check({
      ...candidate,
      provider: "compatible",
      key: odd,
      url: `${server.url}/v1`,
    })
    expect(check).toMatchObject({ ok: false, why: "key" })
    expect(JSON.stringify(check)).not.toContain(odd)
  })

  test("[MOD-15] accounts are told apart by the time they were chosen; the same ones change nothing", async () => {
    let changes = 0
    const local = findLocalServers({ PARLOR_LOCAL_MODELS: "off" })
    const env = server.env
    const changed = async () => void changes++
    const providers = openProviders({ env, local, accounts: [], changed })
    const account = { key: KEY, url: null, models: [] }
    const both = [
      { ...account, provider: "openai", model: "gpt-5.6", chosenAt: 1 },
      { ...account, provider: "google", model: "gemini-2.5-pro", chosenAt: 2 },
    ] as const
    await providers.use(both)
    await providers.use([...both])
    expect(changes).toBe(1)
    expect(providers.inUse()).toEqual({ model: "google/gemini-2.5-pro", variable: null })
    const { connected } = providers
    const model = await resolveModel("openai/gpt-5.6", env, { connected })
    await model.run({ instructions: "", messages: [{ role: "person", text: "hi" }], tools: [] }, run)
    expect(server.asked).toEqual([{ path: "/v1/responses", key: KEY }])
    // The same key is not the key of a compatible server.
    await expect(resolveModel("compatible/x", env, {})).rejects.toThrow("OPENAI_BASE_URL")
  })
})

const run = { signal: new AbortController().signal, onEvent: () => undefined }
