import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { memory } from "./contract-memories.ts"
import { find, keys, said } from "./contract-search.ts"
import { append, committed, newConversation } from "./fixtures.ts"
import type { GetStore } from "./get-store.ts"

export function searchWordCases(getStore: GetStore): void {
  describe("words of a search", () => {
    test("[CPT-7] case, accents and width are ignored; scripts without spaces are found by one or two characters", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      const texts = [
        "Crème BRÛLÉE",
        "ﾃﾞﾌﾟﾛｲ手順を東京で確認",
        "ทดสอบการค้นหา",
        "Straße ΣΊΣΥΦΟΣ ёлка",
        "배포 계획을 검토",
        "🎉 party",
      ]
      await committed(
        store,
        append(
          stream.id,
          texts.map((text, i) => said(`m${i}`, i, text)),
        ),
      )
      const expected = {
        "creme brulee": "m0",
        デプロイ: "m1",
        手順: "m1",
        東: "m1",
        "東京 手": "m1",
        การค้น: "m2",
        ห: "m2",
        strasse: "m3",
        σίσυφος: "m3",
        елка: "m3",
        계획: "m4",
        토: "m4",
        "🎉": "m5",
      }
      for (const [words, key] of Object.entries(expected))
        expect([words, keys(await find(store, person, words))]).toEqual([words, [key]])
    })

    test("[CPT-7] any input is treated as words: it never fails, and never finds another person's texts", async () => {
      const store = getStore()
      const [ann, bob] = [await newConversation(store), await newConversation(store)]
      await committed(store, append(bob.id, [said("b", 1, "near and or not x y 1 0 東京 foo bar")]))
      await store.memories.put(bob.key.person, memory("foo", { body: "foo bar" }), 10)
      await committed(store, append(ann.id, [said("a", 1, "foo near bar")]))
      const tricky = [
        '"foo',
        "foo*",
        "foo NEAR bar",
        "NEAR(foo bar)",
        "words:foo",
        "-foo",
        "foo:*",
        "foo & !bar",
        "'foo' | (bar",
        "^foo",
        "foo <-> bar",
        "{words}: foo",
        "foo\\",
        "%foo_",
        "$1 foo",
        "foo\u0000bar",
      ]
      for (const words of tricky)
        expect([words, keys(await find(store, ann.key.person, words))]).toEqual([words, ["a"]])
      const typed = fc.oneof(
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc
          .array(
            fc.constantFrom(
              '"',
              "'",
              "*",
              ":",
              "(",
              ")",
              "AND",
              "OR",
              "NOT",
              "NEAR",
              "foo",
              "&",
              "|",
              "!",
              "<->",
              "1x",
              " ",
              "東",
            ),
            { maxLength: 12 },
          )
          .map((parts) => parts.join("")),
      )
      await fc.assert(
        fc.asyncProperty(typed, async (words) => {
          for (const hit of await find(store, ann.key.person, words)) {
            if (hit.kind === "memory") expect(hit.scope).toBe("project")
            else expect(hit.stream).toBe(ann.id)
          }
        }),
        { numRuns: 150 },
      )
    }, 60_000)

    test("[CPT-7] a text of any length and kind is accepted and found by its beginning", async () => {
      const store = getStore()
      const stream = await newConversation(store)
      const { person } = stream.key
      const han = Array.from({ length: 120_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7_919) % 20_000))).join(
        "",
      )
      const many = Array.from({ length: 40_000 }, (_, i) => `ख्वाहिश${i}`).join(" ")
      const texts = [
        `start ${"x".repeat(500_000)}`,
        `start ${han}`,
        `start ${many}`,
        `start ${"ﷺ".repeat(60_000)}`,
        "start \u0000\ud800 end",
      ]
      for (const [i, text] of texts.entries()) await committed(store, append(stream.id, [said(`m${i}`, i, text)]))
      expect(keys(await find(store, person, "start")).sort()).toEqual(["m0", "m1", "m2", "m3", "m4"])
      expect(keys(await find(store, person, "end"))).toEqual(["m4"])
    }, 60_000)
  })
}
