import { limits } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import type { Ports } from "../ports/ports.ts"
import { nothingStored } from "../ports/usage.ts"
import { defaultQuotaSettings, type QuotaHome } from "../quota/quota.ts"
import { FakeClock } from "../testing/fake-clock.ts"
import { MemoryStore } from "../testing/memory-store.ts"
import { attach, checkAttachment, deleteAttachment, listAttachments, readAttachment } from "./attach.ts"

const note = { name: "a.txt", contentType: "text/plain" }
const quota = { settings: { quota: defaultQuotaSettings }, usedBytes: new Map() }
const text = (words: string) => new TextEncoder().encode(words)

describe("[CMP-15] the total size of a person's attachments", () => {
  it("is limited per person, and content that is already stored costs nothing", async () => {
    const taken: Record<string, number> = { ana: limits.attachedBytes - 4, bob: 0 }
    const kept = new Map<string, unknown>()
    const blobs = {
      attachment: async (person: string, hash: string) => kept.get(`${person} ${hash}`),
      attachedBytes: async (person: string) => taken[person] ?? 0,
      attach: async (person: string, attachment: { hash: string; bytes: number }) => {
        kept.set(`${person} ${attachment.hash}`, attachment)
        taken[person] = (taken[person] ?? 0) + attachment.bytes
      },
    }
    const store = { blobs, usage: { stored: async () => nothingStored } }
    const node = { ...quota, store, clock: { now: () => 7 } } as unknown as Ports & QuotaHome
    await expect(attach(node, "ana", { ...note, hash: "1" }, text("12345"))).rejects.toMatchObject({
      code: "attachment.full",
    })
    expect(await attach(node, "bob", { ...note, hash: "1" }, text("12345"))).toMatchObject({ bytes: 5, at: 7 })
    expect(await attach(node, "ana", { ...note, hash: "2" }, text("1234"))).toMatchObject({ bytes: 4 })
    expect(await attach(node, "ana", { ...note, hash: "2" }, text("1234"))).toMatchObject({ bytes: 4 })
    expect(taken).toEqual({ ana: limits.attachedBytes, bob: 5 })
  })

  it("can be read only by the person who attached it", async () => {
    const clock = new FakeClock()
    const node = { ...quota, store: new MemoryStore(clock), clock } as unknown as Ports & QuotaHome
    await attach(node, "ana", { ...note, hash: "1" }, text("hi"))
    expect((await readAttachment(node, "ana", "1")).bytes).toEqual(text("hi"))
    await expect(readAttachment(node, "bob", "1")).rejects.toMatchObject({ code: "attachment.unknown" })
  })

  it("is listed by page, and can be deleted by its owner", async () => {
    const clock = new FakeClock()
    const node = { ...quota, store: new MemoryStore(clock), clock } as unknown as Ports & QuotaHome
    for (const hash of ["1", "2", "3"]) await attach(node, "ana", { ...note, hash }, text(hash))
    const first = await listAttachments(node, "ana", { limit: 2 })
    expect(first).toMatchObject({ attachments: [{ hash: "3" }, { hash: "2" }], next: { hash: "2" }, taken: 3 })
    const rest = await listAttachments(node, "ana", { limit: 2, after: first.next })
    expect(rest).toMatchObject({ attachments: [{ hash: "1" }], next: undefined })
    await expect(deleteAttachment(node, "bob", "2")).rejects.toMatchObject({ code: "attachment.unknown" })
    await deleteAttachment(node, "ana", "2")
    expect(await listAttachments(node, "ana", { limit: 2 })).toMatchObject({ taken: 2, next: undefined })
  })
})

describe("[CMP-15] what may be attached", () => {
  const memory = () => {
    const clock = new FakeClock()
    return { ...quota, store: new MemoryStore(clock), clock } as unknown as Ports & QuotaHome
  }
  const code = (work: () => void) => {
    try {
      return work()
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it("has a type that is taken, and contents that are of that type", async () => {
    const given = (contentType: string) => attach(memory(), "ana", { name: "a", hash: "1", contentType }, text("hi"))
    await expect(given("application/zip")).rejects.toMatchObject({
      code: "attachment.media-type",
      message: expect.stringContaining("application/zip"),
    })
    await expect(given("")).rejects.toMatchObject({
      code: "attachment.media-type",
      message: expect.stringContaining("none"),
    })
    await expect(given("image/png")).rejects.toMatchObject({ code: "attachment.mismatch" })
    await expect(given("text/plain")).resolves.toMatchObject({ name: "a", mediaType: "text/plain" })
  })

  it("without a name it is called attachment", async () => {
    expect(
      await attach(memory(), "ana", { contentType: "text/plain", hash: "1", name: undefined }, text("hi")),
    ).toMatchObject({
      name: "attachment",
    })
  })

  it("is not empty and no larger than its kind may be", () => {
    expect(code(() => checkAttachment("text/plain", text("")))).toBe("attachment.mismatch")
    const words = new Uint8Array(limits.attachmentTextBytes + 1).fill(0x61)
    expect(code(() => checkAttachment("text/plain", words))).toBe("request.too-large")
    expect(code(() => checkAttachment("text/plain", words.subarray(1)))).toBeUndefined()
    const image = new Uint8Array(limits.attachmentBytes + 1)
    image.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    expect(code(() => checkAttachment("image/png", image))).toBe("request.too-large")
    expect(code(() => checkAttachment("image/png", image.subarray(0, -1)))).toBeUndefined()
  })
})
