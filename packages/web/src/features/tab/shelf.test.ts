import { expect, it } from "vitest"
import { openShelf } from "./shelf.ts"

const snapshot = { key: "host/main", asOf: 1, bytes: 2, status: null, messages: [] }

it.each([
  [
    "has no database at all",
    () => {
      throw new Error("denied")
    },
  ],
  [
    "refuses to open it",
    (): IDBFactory => {
      const request = { error: new DOMException("no", "InvalidStateError") } as IDBOpenDBRequest
      queueMicrotask(() => request.onerror?.(new Event("error")))
      return { open: () => request } as unknown as IDBFactory
    },
  ],
])("[TAB-2] a browser that %s keeps nothing, and everything goes on", async (_, factory) => {
  const shelf = openShelf(factory, "p")
  expect(await shelf.keys()).toEqual([])
  expect(await shelf.read("host/main")).toBeUndefined()
  expect(await shelf.write(snapshot)).toBe("refused")
  await shelf.remove("host/main")
  await shelf.clear()
})
