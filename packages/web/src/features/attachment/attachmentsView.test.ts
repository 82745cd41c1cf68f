import { type ListedAttachment, limits } from "@parlor/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deleteOnce, kindWords, readShelf, roomPercent, roomWords } from "./attachmentsView.ts"

/** A server with so many, which answers as many at a time as it likes. */
function shelved(count: number, atOnce: number) {
  const all = Array.from({ length: count }, (_, index): ListedAttachment => {
    return { hash: String(index), name: `${index}.txt`, mediaType: "text/plain", bytes: 1, at: count - index }
  })
  const asked: number[] = []
  const list = async ({ cursor, limit = 1 }: { readonly cursor?: string; readonly limit?: number } = {}) => {
    asked.push(limit)
    const from = Number(cursor ?? 0)
    const to = from + Math.min(limit, atOnce)
    return { attachments: all.slice(from, to), cursor: to < count ? String(to) : null, bytes: count, most: 2 * count }
  }
  return { all, asked, list }
}

describe("what was attached", () => {
  it("[CMP-15] is as many of the newest as are wanted, each once, however many the server answers at once", async () => {
    const few = fc.integer({ min: 0, max: 40 })
    const some = fc.integer({ min: 1, max: 40 })
    await fc.assert(
      fc.asyncProperty(few, some, some, async (count, atOnce, wanted) => {
        const server = shelved(count, atOnce)
        const { attachments, hasMore, bytes, most } = await readShelf(server, wanted)
        expect(attachments).toEqual(server.all.slice(0, wanted))
        expect(hasMore).toBe(count > wanted)
        expect([bytes, most]).toEqual([count, 2 * count])
      }),
    )
  })

  it("[CMP-15] is never asked for in larger pieces than the server gives", async () => {
    const server = shelved(1_200, limits.listAttachments)
    expect((await readShelf(server, 1_100)).attachments).toHaveLength(1_100)
    expect(server.asked).toEqual([500, 500, 100])
  })

  it("[CMP-15] a server that promises more and gives nothing is not asked for ever", async () => {
    const list = async () => ({ attachments: [], cursor: "1", bytes: 0, most: 1 })
    expect(await readShelf({ list }, 100)).toEqual({ attachments: [], bytes: 0, most: 1, hasMore: true })
  })

  it("[CMP-15] what another window deleted first is deleted; any other refusal is told", async () => {
    const refusing = (code: string) => ({ delete: () => Promise.reject(Object.assign(new Error("No."), { code })) })
    await expect(deleteOnce(refusing("attachment.unknown"), "h")).resolves.toBeUndefined()
    await expect(deleteOnce(refusing("store.unavailable"), "h")).rejects.toMatchObject({ code: "store.unavailable" })
    const deleted: string[] = []
    await deleteOnce({ delete: async (hash) => void deleted.push(hash) }, "h")
    expect(deleted).toEqual(["h"])
  })
})

describe("in words", () => {
  it("[CMP-15] how much room is taken, and how much of it", () => {
    const most = limits.attachedBytes
    expect(roomWords({ bytes: 2_516_582, most })).toBe("2.4 MB of 1 GB used")
    expect(roomWords({ bytes: 0, most })).toBe("0 B of 1 GB used")
  })

  it("[CMP-15] the bar is empty only when nothing is there, and full only when there is no room", () => {
    const most = limits.attachedBytes
    fc.assert(
      fc.property(fc.integer({ min: 0, max: most }), (bytes) => {
        const percent = roomPercent({ bytes, most })
        expect(percent === 0).toBe(bytes === 0)
        expect(percent === 100).toBe(bytes === most)
        expect(percent).toBeGreaterThanOrEqual(Math.floor((bytes / most) * 100))
      }),
    )
    expect(roomPercent({ bytes: most * 2, most })).toBe(100)
  })

  it.each([
    ["image/png", "PNG image"],
    ["image/webp", "WebP image"],
    ["application/pdf", "PDF"],
    ["application/json", "JSON"],
    ["audio/mpeg", "MP3 audio"],
    ["audio/flac", "FLAC audio"],
    ["audio/webm", "WebM audio"],
    ["text/plain", "Text"],
    ["text/x-diff", "Text (x-diff)"],
    ["application/x-odd", "application/x-odd"],
    ["constructor", "constructor"],
  ])("[CMP-15] %s is a %s", (mediaType, words) => {
    expect(kindWords(mediaType)).toBe(words)
  })
})
