import { afterEach, describe, expect, it, vi } from "vitest"
import { json, quick, startWire, type Wire } from "../test/wire.ts"
import { ParlorError } from "./error.ts"
import { Parlor } from "./parlor.ts"
import { defaultTiming } from "./timing.ts"

/** What a browser has, with the network played by the test. */
class FakeRequest {
  static readonly made: FakeRequest[] = []
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  readonly headers: Record<string, string> = {}
  responseType = ""
  status = 0
  statusText = ""
  response: Blob | null = null
  opened = ""
  body: unknown
  isAborted = false
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  onloadend?: () => void

  constructor() {
    FakeRequest.made.push(this)
  }
  open(method: string, url: string): void {
    this.opened = `${method} ${url}`
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }
  getAllResponseHeaders(): string {
    return "content-type: application/json\r\nretry-after: 3\r\n"
  }
  send(body: unknown): void {
    this.body = body
  }
  abort(): void {
    this.isAborted = true
    this.onabort?.()
    this.onloadend?.()
  }
  went(loaded: number, total: number): void {
    this.upload.onprogress?.({ loaded, total })
  }
  answer(status: number, value: unknown): void {
    this.status = status
    this.response = new Blob([JSON.stringify(value)])
    this.onload?.()
    this.onloadend?.()
  }
}

const view = { hash: "h", name: "a.png", mediaType: "image/png", bytes: 4 }
const content = new Blob(["four"], { type: "image/png" })
let wire: Wire | undefined
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  FakeRequest.made.length = 0
  await wire?.close()
  wire = undefined
})

function inBrowser() {
  vi.stubGlobal("XMLHttpRequest", FakeRequest)
  const parlor = new Parlor({ baseUrl: "http://parlor.test", token: "secret", timing: quick })
  const request = async (count = 1): Promise<FakeRequest> => {
    await vi.waitFor(() => expect(FakeRequest.made).toHaveLength(count))
    return FakeRequest.made.at(-1) as FakeRequest
  }
  return { parlor, request }
}

describe("[TAB-10] an upload that tells how far it is", () => {
  it("tells every step, carries the token, and gives the answer as any other request does", async () => {
    const { parlor, request } = inBrowser()
    const told: number[] = []
    const added = parlor.attachments.add(content, { name: "a.png", onProgress: (share) => told.push(share) })
    const sent = await request()
    expect(sent.opened).toBe("POST http://parlor.test/v1/attachments?name=a.png")
    expect(sent.headers).toEqual({
      authorization: "Bearer secret",
      "content-type": "image/png",
      "idempotency-key": expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(sent.body).toBe(content)
    sent.went(1, 4)
    sent.went(0, 0)
    sent.went(4, 4)
    sent.answer(201, view)
    expect(await added).toEqual(view)
    expect(told).toEqual([0.25, 1])
  })

  it("is stopped by its signal, with the reason the caller gave", async () => {
    const { parlor, request } = inBrowser()
    const leaving = new AbortController()
    const added = parlor.attachments.add(content, { signal: leaving.signal, onProgress: () => undefined })
    const sent = await request()
    const reason = new Error("not wanted any more")
    leaving.abort(reason)
    await expect(added).rejects.toBe(reason)
    expect(sent.isAborted).toBe(true)
    await expect(parlor.attachments.add(content, { signal: leaving.signal, onProgress: () => undefined })).rejects.toBe(
      reason,
    )
    expect(FakeRequest.made).toHaveLength(1)
  })

  it("fails as any other request does: no answer, a refusal, an answer without a body", async () => {
    const { parlor, request } = inBrowser()
    const add = () => parlor.attachments.add(content, { onProgress: () => undefined })
    const lost = add()
    ;(await request(1)).onerror?.()
    await expect(lost).rejects.toMatchObject({ name: "ParlorError", code: "network", passing: true })
    const refused = add()
    ;(await request(2)).answer(422, { code: "attachment.mismatch", detail: "It is no PNG." })
    const error = await refused.catch((one: unknown) => one)
    expect(error).toBeInstanceOf(ParlorError)
    expect(error).toMatchObject({ code: "attachment.mismatch", status: 422, retryAfterMs: 3_000 })
    const empty = add()
    ;(await request(3)).answer(204, null)
    await expect(empty).rejects.toBeInstanceOf(SyntaxError)
  })

  it("[WSP-4] a file is written the same way; one that still goes out is not given up, one that stands still is", async () => {
    const { parlor, request } = inBrowser()
    vi.useFakeTimers()
    const files = parlor.conversation("host").files
    const told: number[] = []
    const written = files.write("a.txt", "text", { was: null, onProgress: (share) => told.push(share) })
    const sent = await request()
    expect(sent.headers).toMatchObject({ "if-none-match": "*", "content-type": "application/octet-stream" })
    for (let step = 1; step <= 4; step++) {
      await vi.advanceTimersByTimeAsync(quick.requestMs - 100)
      sent.went(step, 4)
    }
    sent.answer(200, { file: { path: "a.txt" } })
    expect(await written).toEqual({ path: "a.txt" })
    expect(told).toEqual([0.25, 0.5, 0.75, 1])
    const before = FakeRequest.made.length
    const stuck = files.write("b.txt", "text", { was: null, onProgress: () => undefined })
    const given = expect(stuck).rejects.toMatchObject({ code: "timeout" })
    // It is tried again with the same key, so many times.
    for (let tries = 0; tries < defaultTiming.sendAttempts; tries++)
      await vi.advanceTimersByTimeAsync(quick.requestMs + quick.backoffMaxMs)
    await given
    const made = FakeRequest.made.slice(before)
    expect(made.length).toBe(defaultTiming.sendAttempts)
    expect(new Set(made.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
    expect(made.every(({ isAborted }) => isAborted)).toBe(true)
  })
})

it("[TAB-10] where nothing can tell, and with a fetch of one's own, an upload works and tells nothing", async () => {
  wire = await startWire((_, response) => json(response, 201, view))
  const told: number[] = []
  const onProgress = (share: number) => told.push(share)
  expect(await wire.parlor.attachments.add(content, { onProgress })).toEqual(view)
  vi.stubGlobal("XMLHttpRequest", FakeRequest)
  const own = wire.client({ fetch: (input, init) => globalThis.fetch(input, init) })
  expect(await own.attachments.add(content, { onProgress })).toEqual(view)
  expect([told, FakeRequest.made, wire.calls.map(({ body }) => body)]).toEqual([[], [], ["four", "four"]])
})
