import { expect, test } from "vitest"
import { checkStores } from "../../scripts/stores.mjs"

test("stores with the same files pass, whatever order they are listed in", () => {
  const stores = new Map([
    ["sqlite", ["open.ts", "keys.ts"]],
    ["postgres", ["keys.ts", "open.ts"]],
  ])
  expect(checkStores(stores)).toEqual([])
})

test("a file without a counterpart is reported for each store that lacks it", () => {
  const stores = new Map([
    ["mysql", ["open.ts"]],
    ["sqlite", ["open.ts", "keys.ts"]],
    ["postgres", ["open.ts"]],
  ])
  expect(checkStores(stores).map((line) => line.split(" ")[0])).toEqual(["mysql/keys.ts", "postgres/keys.ts"])
})
