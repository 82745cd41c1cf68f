import { calls, says } from "@parlor/core/testing"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Files } from "../src/index.ts"
import { openRoom, type Room, when } from "./room.ts"

let room: Room
let files: Files
beforeEach(async () => {
  room = await openRoom()
  files = room.parlor.conversation("host").files
})
afterEach(() => room.close())

const text = async (path: string, at?: string) =>
  new TextDecoder().decode((await files.read(path, at === undefined ? {} : { at })).bytes)

describe("files", () => {
  test("[WSP-4] are written, listed, read and deleted, text and bytes", async () => {
    const row = await files.write("notes/größe 1.md", "Hello")
    expect(row).toMatchObject({ path: "notes/größe 1.md", bytes: 5, by: "person" })
    await files.write("data.bin", Uint8Array.of(0, 255))
    await files.write("blob.txt", new Blob(["from a blob"]))
    expect(await files.list()).toMatchObject([{ path: "blob.txt" }, { path: "data.bin" }, { path: "notes/größe 1.md" }])
    expect(await text("notes/größe 1.md")).toBe("Hello")
    expect(await files.read("data.bin")).toMatchObject({
      bytes: Uint8Array.of(0, 255),
      mediaType: "application/octet-stream",
    })
    await files.delete("data.bin")
    await expect(files.read("data.bin")).rejects.toMatchObject({ code: "file.unknown", status: 404 })
  })

  test("[WSP-4] are not written over what the writer has not seen", async () => {
    const { hash } = await files.write("a.txt", "one", { was: null })
    expect((await files.read("a.txt")).hash).toBe(hash)
    await files.write("a.txt", "two", { was: hash })
    await expect(files.write("a.txt", "three", { was: hash })).rejects.toMatchObject({ code: "file.changed" })
    await expect(files.write("a.txt", "three", { was: null })).rejects.toMatchObject({ code: "file.exists" })
    await expect(files.delete("a.txt", { was: hash })).rejects.toMatchObject({ code: "file.changed" })
    await files.delete("a.txt", { was: "*" })
  })

  test("[WSP-1] a path that would be another address never leaves", async () => {
    for (const path of ["..", "../queue", "a/../../queue", "a/%2e%2E/b", ".", "a//b", "/a", "a/", ""]) {
      await expect(files.write(path, "x")).rejects.toMatchObject({ code: "file.path" })
      await expect(files.delete(path)).rejects.toMatchObject({ code: "file.path" })
      await expect(files.read(path)).rejects.toMatchObject({ code: "file.path" })
    }
    await expect(files.write("con", "x")).rejects.toMatchObject({ code: "file.path" })
    await expect(files.write("a\\b", "x")).rejects.toMatchObject({ code: "file.path" })
  })

  test("[WSP-4] show what a turn changed, and what they were before it", async () => {
    const conversation = room.parlor.conversation("host")
    const live = conversation.live()
    await files.write("a.txt", "one\n")
    room.script(calls("write_file", { path: "a.txt", content: "two\n" }), says("ok"))
    const { message, turn = "" } = await conversation.send("Change it")
    await when(
      live,
      ({ status, changes }) => status?.state === "idle" && changes.some((change) => change.turn === turn),
    )
    live.close()
    expect(await text("a.txt")).toBe("two\n")
    expect(await text("a.txt", message)).toBe("one\n")
    expect((await files.changes({ turn })).changes).toMatchObject([
      { path: "a.txt", turn, diff: "@@ -1 +1 @@\n-one\n+two" },
    ])
    const page = await files.changes({ limit: 1 })
    expect(page.changes).toHaveLength(1)
    expect((await files.changes({ limit: 1, cursor: page.cursor ?? "" })).changes).toMatchObject([{ by: "person" }])
  })
})
