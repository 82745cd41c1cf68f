import { type Files, ParlorError, type WriteOptions } from "@parlor/client"
import { expect, it } from "vitest"
import { type Given, type Going, upload } from "./uploads.ts"

const given = (name: string): Given => Object.assign(new Blob(["x"]), { name })

it("[WSP-4] what is dropped is taken; what is there already is asked about, what cannot be says why", async () => {
  const wrote: [string, unknown][] = []
  const files = {
    write: async (path: string, _content: unknown, options: { was?: string | null } = {}) => {
      wrote.push([path, options.was])
      if (path === "con") throw new ParlorError("file.path", "A device.", { status: 422 })
      if (path === "there.txt" && options.was === null) throw new ParlorError("file.exists", "It is.", { status: 409 })
    },
  } as unknown as Pick<Files, "write">
  const taken = await upload(files, ["cafe\u0301.txt", "there.txt", "con"].map(given), { replace: false })
  expect(taken.made).toEqual(["caf\u00e9.txt"])
  expect(taken.met.map(({ name }) => name)).toEqual(["there.txt"])
  expect(taken.refused).toEqual([{ name: "con", note: { code: "file.path", detail: "A device." } }])
  expect((await upload(files, taken.met, { replace: true })).made).toEqual(["there.txt"])
  expect(wrote.at(-1)).toEqual(["there.txt", undefined])
})

it("[WSP-4] one that fails does not keep the others out, and they go one after another", async () => {
  const log: string[] = []
  const files = {
    write: async (path: string) => {
      log.push(`+${path}`)
      await Promise.resolve()
      log.push(`-${path}`)
      if (path === "b") throw new ParlorError("file.too-large", "11 MB.", { status: 413 })
      if (path === "c") throw new TypeError("fetch failed")
    },
  } as unknown as Pick<Files, "write">
  const taken = await upload(files, ["a", "b", "c", "d"].map(given), { replace: false })
  expect(taken.made).toEqual(["a", "d"])
  expect(taken.refused).toEqual([
    { name: "b", note: { code: "file.too-large", detail: "11 MB." } },
    { name: "c", note: { code: "unknown", detail: "fetch failed" } },
  ])
  expect(log).toEqual(["+a", "-a", "+b", "-b", "+c", "-c", "+d", "-d"])
  expect(await upload(files, [], { replace: false })).toEqual({ made: [], met: [], refused: [], stopped: [] })
})

it("[WSP-4] says which of them goes and how far it is; stopped, the one that goes and all after it do not arrive", async () => {
  const stopping = new AbortController()
  const files = {
    write: async (path: string, _content: unknown, { signal, onProgress }: WriteOptions) => {
      onProgress?.(0.5)
      if (path === "b") stopping.abort()
      signal?.throwIfAborted()
    },
  } as unknown as Pick<Files, "write">
  const seen: string[] = []
  const onGoing = ({ name, place, count, percent }: Going) => seen.push(`${name} ${place}/${count} ${percent}%`)
  const taken = await upload(files, ["a", "b", "c"].map(given), { replace: false, signal: stopping.signal, onGoing })
  expect(taken).toEqual({ made: ["a"], met: [], refused: [], stopped: ["b", "c"] })
  expect(seen).toEqual(["a 1/3 0%", "a 1/3 50%", "b 2/3 0%", "b 2/3 50%"])
})
