import { afterEach, expect, it } from "vitest"
import { clockText, dayText, listText, momentText, numberText } from "./format.ts"
import { locale, speakIn, texts } from "./texts.ts"

const t = texts("demo", {
  hello: "Hello {name}, {name}!",
  plain: "Plain",
  files: { one: "{count} file of {agent}", other: "{count} files of {agent}" },
})

afterEach(() => speakIn("en", undefined))

it("[SET-3] a text has its slots filled, numbers as the language writes them", () => {
  expect(t("hello", { name: "Ada" })).toBe("Hello Ada, Ada!")
  expect(t("plain")).toBe("Plain")
  expect(t("hello", { name: 12_345.5 })).toBe("Hello 12,345.5, 12,345.5!")
  expect(t("hello", { name: "{name} $& \\0" })).toBe("Hello {name} $& \\0, {name} $& \\0!")
})

it("[SET-3] a number chooses its form by the rules of the language", () => {
  expect([0, 1, 2, 1_000].map((count) => t("files", { count, agent: "host" }))).toEqual([
    "0 files of host",
    "1 file of host",
    "2 files of host",
    "1,000 files of host",
  ])
  speakIn("pl", { demo: { files: { one: "{count} plik", few: "{count} pliki", many: "{count} plików", other: "-" } } })
  expect([1, 2, 5, 22].map((count) => t("files", { count, agent: "" }))).toEqual([
    "1 plik",
    "2 pliki",
    "5 plików",
    "22 pliki",
  ])
})

it("[SET-3] anything may be put into a slot, in the order of the language", () => {
  const thing = { some: "element" }
  speakIn("de", { demo: { hello: "{name}: hallo" } })
  expect(t.pieces("hello", { name: thing })).toEqual([thing, ": hallo"])
})

it("[SET-1] another language replaces the words, and English is there for what it lacks", () => {
  speakIn("de", { demo: { hello: "Hallo {name}" } })
  expect([t("hello", { name: "Ada" }), t("plain")]).toEqual(["Hallo Ada", "Plain"])
  expect(t("hello", { name: 1_234.5 })).toBe("Hallo 1.234,5")
  speakIn("en", undefined)
  expect(t("hello", { name: "Ada" })).toBe("Hello Ada, Ada!")
})

it("[SET-3] dates, numbers and lists follow the region", () => {
  const at = new Date(2026, 10, 18, 9, 5).getTime()
  const written = () => [numberText(12_345), dayText(at), momentText(at), clockText(at), listText(["a", "b", "c"])]
  speakIn("de-DE", undefined)
  expect(written()).toEqual(["12.345", "18.11.2026", "18.11.2026, 09:05", "09:05", "a, b und c"])
  expect(locale()).toBe("de-DE")
  speakIn("en-US", undefined)
  expect(written().map((text) => text.replace(/\u202f/g, " "))).toEqual([
    "12,345",
    "11/18/2026",
    "Nov 18, 2026, 9:05 AM",
    "09:05 AM",
    "a, b, and c",
  ])
})
