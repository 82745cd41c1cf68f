import type { AuditEntry, ProviderRecord } from "@parlor/core"
import { describe, expect, test } from "vitest"
import type { GetStore } from "./get-store.ts"

const openai: ProviderRecord = {
  provider: "openai",
  secret: "sealed:1:k:value",
  ending: "WXYZ",
  url: null,
  models: ["gpt-5.6", "emoji 🙂"],
  model: "gpt-5.6",
  chosenAt: 5,
  addedAt: 4,
}
const local: ProviderRecord = { ...openai, provider: "local", secret: null, ending: null, chosenAt: null }

export function providerCases(getStore: GetStore, readAudit: () => Promise<readonly AuditEntry[]>): void {
  describe("providers", () => {
    test("[MOD-15] are added, replaced and removed; each change raises the version and is audited", async () => {
      const { providers } = getStore()
      const audit = (act: string) => ({ at: 7, person: "providers-owner", act, subject: "s" })
      expect(await providers.all()).toEqual([])
      const start = await providers.version()
      await providers.put(openai, audit("add"))
      await providers.put(local, audit("add"))
      expect(await providers.all()).toEqual([local, openai])
      expect(await providers.version()).toBe(start + 2)
      await providers.put({ ...openai, model: "gpt-4.1" }, audit("replace"))
      expect((await providers.all()).map(({ model }) => model)).toEqual(["gpt-5.6", "gpt-4.1"])
      expect(await providers.remove("openai", audit("remove"))).toBe(true)
      expect(await providers.remove("openai", audit("again"))).toBe(false)
      expect(await providers.remove("local", audit("remove"))).toBe(true)
      expect(await providers.version()).toBe(start + 5)
      const acts = (await readAudit()).filter(({ person }) => person === "providers-owner").map(({ act }) => act)
      expect(acts).toEqual(["add", "add", "replace", "remove", "remove"])
    })
  })
}
