import { expect, it } from "vitest"
import { keepIn } from "../keep/keep.ts"
import { keepLanguage, languageIn, languageKey, localeFor, spoken } from "./language.ts"

it.each([
  ["the choice", "de", ["en-US"], "de"],
  ["the first language of the browser that is known", undefined, ["fr-FR", "de-CH", "en"], "de"],
  ["English before German where the browser says so", undefined, ["en-GB", "de"], "en"],
  ["English otherwise", undefined, ["fr"], "en"],
  ["English without any", undefined, [], "en"],
] as const)("[SET-1] the page speaks %s", (_, choice, preferred, language) => {
  expect(spoken(choice, preferred)).toBe(language)
})

it("[SET-3] the region comes from the browser, if it has one of that language", () => {
  expect(localeFor("en", ["de-DE", "en-GB", "en"])).toBe("en-GB")
  expect(localeFor("de", ["en-US"])).toBe("de")
})

it("[SET-1] the choice is kept, and following the browser leaves nothing behind", () => {
  const items = new Map<string, string>()
  const keep = keepIn(() => ({
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }))
  keepLanguage("de", keep)
  expect(languageIn(keep)).toBe("de")
  keepLanguage(undefined, keep)
  expect([languageIn(keep), items.size]).toEqual([undefined, 0])
  items.set(languageKey, "tlh")
  expect(languageIn(keep)).toBeUndefined()
})
