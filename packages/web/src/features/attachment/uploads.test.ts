import { ParlorError } from "@parlor/client"
import { type AttachmentView, limits } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { makeUploads, type UploadTo } from "./uploads.ts"

type Asked = {
  readonly name: string | undefined
  readonly type: string | undefined
  readonly signal: AbortSignal | undefined
  readonly went: (share: number) => void
  readonly answer: () => void
  readonly fail: (error: unknown) => void
}

const place = "host/main"
const png = (name: string) => new File([new Uint8Array([0x89, 0x50])], name, { type: "image/png" })

function stage(already = 0) {
  const asked: Asked[] = []
  const done: AttachmentView[] = []
  const urls = new Set<string>()
  let nextUrl = 0
  const uploads = makeUploads({
    make: () => {
      const url = `blob:${nextUrl++}`
      urls.add(url)
      return url
    },
    drop: (url) => void urls.delete(url),
  })
  const to: UploadTo = {
    conversation: place,
    attached: () => already,
    done: (view) => void done.push(view),
    attach: (file, { name, mediaType, signal, onProgress = () => undefined }) =>
      new Promise((resolve, reject) => {
        const view = {
          hash: String(asked.length).repeat(64),
          name: name ?? "",
          mediaType: mediaType ?? "",
          bytes: file.size,
        }
        asked.push({ name, type: mediaType, signal, went: onProgress, answer: () => resolve(view), fail: reject })
      }),
  }
  const settled = async (isTrue: () => boolean) => {
    for (let turns = 0; turns < 200 && !isTrue(); turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(isTrue()).toBe(true)
  }
  const states = () => uploads.read(place).map(({ name, state }) => `${name} ${state}`)
  return { uploads, to, asked, done, urls, settled, states }
}

describe("[TAB-10] files on their way", () => {
  it("show a picture and that they are busy, and become part of the draft when they arrive", async () => {
    const { uploads, to, asked, done, settled, states } = stage()
    uploads.add(to, [png("a.png")])
    await settled(() => asked.length === 1)
    expect(states()).toEqual(["a.png busy"])
    expect(uploads.read(place)[0]?.preview).toBe("blob:0")
    expect(uploads.read(place)).toBe(uploads.read(place))
    expect(uploads.read("critic/main")).toEqual([])
    asked[0]?.answer()
    await settled(() => states().length === 0)
    expect(done).toMatchObject([{ name: "a.png", mediaType: "image/png" }])
    expect(uploads.preview(done[0]?.hash ?? "")).toBe("blob:0")
  })

  it("say how far they are, once for each percent, from the start again when tried again, and never after removal", async () => {
    const { uploads, to, asked, settled, states } = stage()
    uploads.add(to, [png("a.png"), png("b.png")])
    await settled(() => asked.length === 2)
    const percents = () => uploads.read(place).map(({ percent }) => percent)
    expect(percents()).toEqual([undefined, undefined])
    let told = 0
    uploads.subscribe(() => void told++)
    for (const share of [0.101, 0.105, 0.109, 0.5]) asked[0]?.went(share)
    expect([percents(), told]).toEqual([[50, undefined], 2])
    asked[0]?.fail(new ParlorError("network", "The server cannot be reached."))
    await settled(() => states()[0] === "a.png failed")
    uploads.retry(place, uploads.read(place)[0]?.id ?? "")
    await settled(() => asked.length === 3)
    expect(percents()).toEqual([undefined, undefined])
    uploads.remove(place, uploads.read(place)[1]?.id ?? "")
    const before = told
    asked[1]?.went(0.9)
    expect([told, states()]).toEqual([before, ["a.png busy"]])
  })

  it("go a few at a time, in order", async () => {
    const { uploads, to, asked, settled, states } = stage()
    uploads.add(to, ["a", "b", "c", "d"].map(png))
    await settled(() => asked.length === 3)
    expect(states()).toEqual(["a busy", "b busy", "c busy", "d waiting"])
    asked[1]?.answer()
    await settled(() => asked.length === 4)
    expect(states()).toEqual(["a busy", "c busy", "d busy"])
  })

  it("that fail say why, and can be tried again when that may help", async () => {
    const { uploads, to, asked, done, settled, states } = stage()
    uploads.add(to, [png("a.png")])
    await settled(() => asked.length === 1)
    asked[0]?.fail(new ParlorError("network", "The server cannot be reached."))
    await settled(() => states()[0] === "a.png failed")
    const [failed] = uploads.read(place)
    expect(failed).toMatchObject({ mayRetry: true, note: { code: "network" } })
    uploads.retry(place, failed?.id ?? "")
    await settled(() => asked.length === 2)
    asked[1]?.fail(new ParlorError("attachment.mismatch", "It is no PNG.", { status: 422 }))
    await settled(() => states()[0] === "a.png failed")
    expect(uploads.read(place)[0]).toMatchObject({ mayRetry: false, note: { detail: "It is no PNG." } })
    expect(done).toEqual([])
  })

  it("that are too large, of no use or too many are not even sent", async () => {
    const { uploads, to, asked, settled, states } = stage(31)
    const zip = new File([new Uint8Array([0, 1, 2])], "a.zip", { type: "application/zip" })
    uploads.add(to, [zip, png("b.png")])
    await settled(() => states().every((state) => state.endsWith("failed")))
    expect(uploads.read(place).map(({ note }) => note?.code)).toEqual(["attachment.media-type", "attachment.too-many"])
    expect(asked).toEqual([])
  })

  it("are removed: the upload ends, its picture goes, and a late answer changes nothing", async () => {
    const { uploads, to, asked, done, urls, settled, states } = stage()
    uploads.add(to, [png("a.png")])
    await settled(() => asked.length === 1)
    uploads.remove(place, uploads.read(place)[0]?.id ?? "")
    expect([states(), asked[0]?.signal?.aborted, urls.size]).toEqual([[], true, 0])
    asked[0]?.answer()
    await new Promise((resolve) => setImmediate(resolve))
    expect(done).toEqual([])
  })

  it("pictures do not pile up: the oldest go", async () => {
    const { uploads, to, asked, done, urls, settled, states } = stage()
    for (let count = 0; count < 70; count++) {
      uploads.add(to, [png(`${count}.png`)])
      await settled(() => asked.length === count + 1)
      asked[count]?.answer()
      await settled(() => states().length === 0)
    }
    expect(urls.size).toBe(64)
    expect([0, 69].map((count) => uploads.preview(done[count]?.hash ?? "") !== undefined)).toEqual([false, true])
  })

  it("go under names the server takes; the person sees the one they know", async () => {
    const { uploads, to, asked, settled, states } = stage()
    uploads.add(to, [png("a/b\\c\u0007.png"), png(""), png("x".repeat(500))])
    await settled(() => asked.length === 3)
    expect(asked.slice(0, 2).map(({ name }) => name)).toEqual(["a_b_c_.png", "file"])
    expect(asked[2]?.name).toHaveLength(limits.attachmentNameLength)
    expect(states()[1]).toBe("file busy")
  })

  it("that are on their way are not sent again, and each conversation has its own", async () => {
    const { uploads, to, asked, settled } = stage()
    let told = 0
    const leave = uploads.subscribe(() => void told++)
    uploads.add(to, [png("a.png")])
    await settled(() => asked.length === 1)
    const id = uploads.read(place)[0]?.id ?? ""
    leave()
    const before = told
    uploads.retry(place, id)
    uploads.remove("critic/main", id)
    expect(uploads.read(place).map(({ state }) => state)).toEqual(["busy"])
    expect([asked.length, before > 0, told]).toEqual([1, true, before])
  })

  it("the same picture twice is kept once", async () => {
    const { uploads, to, asked, done, urls, settled, states } = stage()
    const same = { ...to, attach: (async () => view) as UploadTo["attach"] }
    const view: AttachmentView = { hash: "f".repeat(64), name: "a.png", mediaType: "image/png", bytes: 2 }
    uploads.add(same, [png("a.png"), png("a.png")])
    await settled(() => done.length === 2 && states().length === 0)
    expect([asked.length, urls.size, uploads.preview(view.hash)]).toEqual([0, 1, [...urls][0]])
  })
})
