import { type FileRead, type Files, ParlorError } from "@parlor/client"
import { expect, it } from "vitest"
import { move, save } from "./saving.ts"

const read = (text: string): FileRead => ({
  bytes: new TextEncoder().encode(text),
  hash: `hash of ${text}`,
  mediaType: "text/plain",
})

/** A workspace of one map, with the rules of the real one. */
function workspace(...given: readonly (readonly [string, string])[]) {
  const there = new Map(given)
  const hashAt = (path: string) => (there.has(path) ? `hash of ${there.get(path)}` : null)
  const check = (path: string, was: string | null | undefined) => {
    if (was === undefined || was === hashAt(path)) return
    throw new ParlorError(was === null ? "file.exists" : "file.changed", "No.", { status: 412 })
  }
  const files = {
    read: async (path: string) => {
      const text = there.get(path)
      if (text === undefined) throw new ParlorError("file.unknown", "Gone.", { status: 404 })
      return read(text)
    },
    write: async (path: string, content: string | Uint8Array, { was }: { was?: string | null } = {}) => {
      if (path === "con") throw new ParlorError("file.path", "A device.", { status: 422 })
      check(path, was)
      there.set(path, typeof content === "string" ? content : new TextDecoder().decode(content))
      return { hash: hashAt(path) }
    },
    delete: async (path: string, { was }: { was?: string | null } = {}) => {
      check(path, was)
      there.delete(path)
    },
  }
  return { there, files: files as unknown as Files }
}

it("[WSP-4] what was typed is saved over what was seen", async () => {
  const { there, files } = workspace(["a.txt", "one"])
  expect(await save(files, "a.txt", "two", "hash of one")).toEqual({ kind: "saved", hash: "hash of two" })
  expect(there.get("a.txt")).toBe("two")
})

it("[WSP-4] over what somebody else wrote it is not: theirs is shown, and one may then save over just that", async () => {
  const { there, files } = workspace(["a.txt", "theirs"])
  const met = await save(files, "a.txt", "mine", "hash of one")
  expect(met).toEqual({ kind: "overtaken", theirs: { read: read("theirs") } })
  expect(there.get("a.txt")).toBe("theirs")
  expect((await save(files, "a.txt", "mine", "hash of theirs")).kind).toBe("saved")
})

it("[WSP-4] what was deleted meanwhile is said to be, and comes back when it is saved", async () => {
  const { there, files } = workspace()
  expect(await save(files, "a.txt", "mine", "hash of one")).toEqual({ kind: "overtaken", theirs: { read: null } })
  expect((await save(files, "a.txt", "mine", null)).kind).toBe("saved")
  expect(there.get("a.txt")).toBe("mine")
})

it("[WSP-4] what cannot be is refused with its reason", async () => {
  expect(await save(workspace().files, "con", "x", null)).toEqual({
    kind: "refused",
    note: { code: "file.path", detail: "A device." },
  })
})

it("[WSP-4] moving writes over nothing, and takes nothing away that it has not seen", async () => {
  const { there, files } = workspace(["a.txt", "one"], ["b.txt", "other"])
  await expect(move(files, "a.txt", "b.txt", read("one"))).rejects.toMatchObject({ code: "file.exists" })
  expect([...there]).toEqual([
    ["a.txt", "one"],
    ["b.txt", "other"],
  ])
  await move(files, "a.txt", "c/a.txt", read("one"))
  expect([...there.keys()]).toEqual(["b.txt", "c/a.txt"])
  there.set("a.txt", "changed")
  await expect(move(files, "a.txt", "d.txt", read("one"))).rejects.toMatchObject({ code: "file.changed" })
  expect([there.get("a.txt"), there.get("d.txt")]).toEqual(["changed", "one"])
})

it("[WSP-4] when what is there cannot be read either, that is said, and nothing is taken for deleted", async () => {
  const { files } = workspace(["a.txt", "theirs"])
  const cut = {
    write: files.write,
    read: () => Promise.reject(new ParlorError("network", "Away.", { status: 0 })),
  } as unknown as Files
  expect(await save(cut, "a.txt", "mine", "hash of one")).toEqual({
    kind: "refused",
    note: { code: "network", detail: "Away." },
  })
})

it("[WSP-4] a new file where one has come to be meanwhile is met as a change is", async () => {
  const { there, files } = workspace(["a.txt", "theirs"])
  expect(await save(files, "a.txt", "mine", null)).toEqual({ kind: "overtaken", theirs: { read: read("theirs") } })
  expect(there.get("a.txt")).toBe("theirs")
})

it("[WSP-4] what cannot be moved there stays where it is", async () => {
  const { there, files } = workspace(["a.txt", "one"])
  await expect(move(files, "a.txt", "con", read("one"))).rejects.toMatchObject({ code: "file.path" })
  expect([...there]).toEqual([["a.txt", "one"]])
})
