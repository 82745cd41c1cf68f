/** What every files port does. */
import type { Files, Folder } from "@parlor/core"
import { describe, expect, it } from "vitest"

export const folder: Folder = { person: "ana", agent: "crab", branch: "main", life: "tx_1" }
const MOST = { most: 1_000 }

const bytes = (text: string) => new TextEncoder().encode(text)

export async function textAt(files: Files, place: Folder, path: string): Promise<string | undefined> {
  const file = await files.read(place, path, MOST)
  return file?.content && new TextDecoder().decode(file.content)
}

export function put(files: Files, place: Folder, path: string, text: string, at = 1_700_000_000_123): Promise<void> {
  return files.write(place, path, bytes(text), { hash: `hash of ${text}`, at })
}

export function filesContract(name: string, open: () => Files): void {
  describe(`the files port: ${name}`, () => {
    it("gives back what was written, with its time and what it was written as", async () => {
      const files = open()
      await put(files, folder, "a/b/c.txt", "hello")
      const read = await files.read(folder, "a/b/c.txt", MOST)
      expect(read).toMatchObject({
        path: "a/b/c.txt",
        bytes: 5,
        modifiedAt: 1_700_000_000_123,
        written: ["hash of hello"],
        linked: false,
      })
      expect(await textAt(files, folder, "a/b/c.txt")).toBe("hello")
    })

    it("accepts any bytes, and none", async () => {
      const files = open()
      const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      await files.write(folder, "bin", all, { hash: "h", at: 1 })
      expect([...((await files.read(folder, "bin", MOST))?.content ?? [])]).toEqual([...all])
      await files.write(folder, "none", new Uint8Array(), { hash: "n", at: 1 })
      expect(await files.read(folder, "none", MOST)).toMatchObject({ bytes: 0 })
      expect(await textAt(files, folder, "none")).toBe("")
    })

    it("replaces a file, and records only the last write", async () => {
      const files = open()
      await put(files, folder, "a.txt", "one, which is longer")
      await put(files, folder, "a.txt", "two")
      expect(await textAt(files, folder, "a.txt")).toBe("two")
      expect((await files.read(folder, "a.txt", MOST))?.written).toEqual(["hash of two"])
    })

    it("returns the size of a file larger than requested, without its content", async () => {
      const files = open()
      await put(files, folder, "large", "x".repeat(1_001))
      expect(await files.read(folder, "large", MOST)).toMatchObject({ bytes: 1_001, content: undefined })
    })

    it("returns nothing for a missing file, and removing one is not an error", async () => {
      const files = open()
      expect(await files.read(folder, "a/none", MOST)).toBeUndefined()
      await files.remove(folder, "a/none")
      await put(files, folder, "a/b.txt", "x")
      await files.remove(folder, "a/b.txt")
      await files.remove(folder, "a/b.txt")
      expect(await files.read(folder, "a/b.txt", MOST)).toBeUndefined()
      expect(await files.list(folder, 10)).toEqual([])
      // The folder that contained only this file is gone too: a file may have its name.
      await put(files, folder, "a", "now a file")
      expect(await textAt(files, folder, "a")).toBe("now a file")
    })

    it("lists files by path, at most as many as requested", async () => {
      const files = open()
      for (const path of ["b.txt", "a/z.txt", "a/a.txt", "c/d/e.txt"]) await put(files, folder, path, path)
      const listed = await files.list(folder, 10)
      expect(listed.map((file) => file.path)).toEqual(["a/a.txt", "a/z.txt", "b.txt", "c/d/e.txt"])
      expect(listed[0]).toMatchObject({ bytes: 7, modifiedAt: 1_700_000_000_123, written: ["hash of a/a.txt"] })
      expect(await files.list(folder, 2)).toHaveLength(2)
      expect(await files.list({ ...folder, branch: "none" }, 2)).toEqual([])
    })

    it("[WSP-1] each conversation has its own folder, however similar their names", async () => {
      const files = open()
      const places: Folder[] = [
        folder,
        { ...folder, person: "Ana" },
        { ...folder, person: "ana/crab", agent: "main" },
        { ...folder, person: ".." },
        { ...folder, branch: "Main" },
        { ...folder, branch: "main~tx_1", life: "" },
        { ...folder, branch: "m".repeat(128) },
        { ...folder, branch: `${"m".repeat(127)}n` },
        { ...folder, life: "tx_2" },
      ]
      for (const [index, place] of places.entries()) await put(files, place, "a.txt", String(index))
      for (const [index, place] of places.entries()) expect(await textAt(files, place, "a.txt")).toBe(String(index))
    })

    it("[SEC-11] clearing a folder deletes everything in it, and nothing of another", async () => {
      const files = open()
      const other = { ...folder, branch: "other" }
      for (const path of ["a.txt", "b/c/d.txt"]) await put(files, folder, path, "x")
      await put(files, other, "a.txt", "stays")
      await files.clear(folder)
      expect(await files.list(folder, 10)).toEqual([])
      expect(await textAt(files, other, "a.txt")).toBe("stays")
      await files.clear(folder)
      await put(files, folder, "a.txt", "again")
      expect(await textAt(files, folder, "a.txt")).toBe("again")
    })
  })
}
