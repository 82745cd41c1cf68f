/** Model providers on the command line. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { type AccountServer, openAccountServer } from "../../../test/providers/account-server.ts"
import { startParlor, type TestParlor } from "./parlor.ts"

const KEY = "sk-account-key-0123456789abcdefWXYZ"

let account: AccountServer
let parlor: TestParlor
beforeAll(async () => {
  account = await openAccountServer(KEY)
  account.models = ["claude-sonnet-5-5", "claude-opus-5-5"]
  parlor = await startParlor({ ...account.env, PARLOR_MODEL: "", PARLOR_LOCAL_MODELS: "off" })
})
afterAll(async () => {
  await parlor.close()
  await account.close()
})

test("[MOD-15] a provider is added with a key from standard input, listed, tested and removed", async () => {
  const before = await parlor.run(["providers"])
  expect(before.out).toContain("Agents that name no model use demo.")
  expect(before.out).toMatch(/^anthropic +Anthropic · not connected$/m)
  const added = await parlor.run(["providers", "add", "anthropic"], `${KEY}\n`)
  expect(added.code, added.err).toBe(0)
  expect(added.err).toContain("key …WXYZ · model claude-sonnet-5-5")
  const listed = await parlor.run(["providers"])
  expect(listed.out).toContain("use anthropic/claude-sonnet-5-5.")
  const chosen = await parlor.run(["providers", "add", "anthropic", "--no-key", "--model", "claude-opus-5-5", "--json"])
  expect(JSON.parse(chosen.out)).toMatchObject({ stored: { ending: "WXYZ", model: "claude-opus-5-5" } })
  const tested = await parlor.run(["providers", "test", "anthropic", "--no-key", "--json"])
  expect(JSON.parse(tested.out)).toEqual({ models: account.models, model: "claude-opus-5-5" })
  const said = await parlor.run(["send", "Who are you?"])
  expect(said.out).toContain("A real model says so.")
  expect((await parlor.run(["providers", "remove", "anthropic", "--json"])).code).toBe(0)
  const json = JSON.parse((await parlor.run(["providers", "--json"])).out)
  expect(json).toMatchObject({ model: "demo", variable: null })
  const all = [before, added, listed, chosen, tested].map(({ out, err }) => out + err)
  expect(all.join("") + parlor.logged()).not.toContain(KEY)
})

test("[MOD-15] a rejected key is refused in words, with the exit code of a refusal", async () => {
  const wrong = await parlor.run(["providers", "add", "anthropic"], "sk-wrong-0123456789")
  expect(wrong.code).toBe(5)
  expect(wrong.err).toContain("invalid x-api-key")
  expect(wrong.err).not.toContain("sk-wrong")
  const none = await parlor.run(["providers", "add", "openai"], "")
  expect(none.err).toContain("Enter your OpenAI API key.")
})
