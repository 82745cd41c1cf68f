import { expect, it } from "vitest"
import { budgets } from "../tab/budgets.ts"
import { nobody, resided } from "../tab/residency.ts"
import { countersOf, counterWords } from "./usage.ts"

it("[TAB-5] every budget has a counter beside it", () => {
  const residents = [
    { type: "opened", key: "a", activation: 1, at: 1 },
    { type: "painted", activation: 1, at: 1 },
    { type: "opened", key: "b", activation: 2, at: 2 },
  ] as const
  const reported = { messageLists: 1, timelineItems: 40, filePreviewBytes: 3 * 1024 * 1024 }
  const counters = countersOf(4, residents.reduce(resided, nobody), reported, [])
  expect(counters.map(({ name }) => name).slice(1)).toEqual(Object.keys(budgets))
  expect(Object.fromEntries(counters.map((counter) => [counter.name, counterWords(counter)]))).toEqual({
    openTabs: "4",
    hydratedTabs: "2 of 5",
    messageLists: "1 of 1",
    timelineItems: "40 of 200",
    streamingBytes: "0 B of 1 MB",
    filePreviewBytes: "3 MB of 10 MB",
    backgroundRestores: "0 of 2",
  })
})

it("sizes are short", () => {
  const words = (value: number) =>
    counterWords({ name: "streamingBytes", label: "", value, most: undefined, unit: "bytes" })
  expect([words(12), words(2048), words(1.5 * 1024 * 1024)]).toEqual(["12 B", "2 KB", "1.5 MB"])
})
