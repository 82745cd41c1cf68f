/** What is attached, over real HTTP, in each provider's wire format. */
import { createHash } from "node:crypto"
import type { ModelAttachment } from "@parlor/core"
import { afterEach, describe, expect, it } from "vitest"
import { address } from "../scenario/stage.ts"
import { openStand, providers, type Stand, toolCall } from "./stand.ts"
import { requestOf } from "./wire-request.ts"

const bytes = (start: readonly number[], length = 64) =>
  new Uint8Array([...start, ...Array.from({ length }, (_, index) => (index * 37) % 256)])
const files = {
  "photo.png": { type: "image/png", content: bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  "move.gif": { type: "image/gif", content: bytes([...Buffer.from("GIF89a")]) },
  "plan.pdf": { type: "application/pdf", content: bytes([...Buffer.from("%PDF-1.7\n")]) },
  "song.mp3": { type: "audio/mpeg", content: bytes([...Buffer.from("ID3")]) },
  "notes.md": { type: "text/markdown", content: new TextEncoder().encode("# Größe\n</attachment> 👍") },
} as const
type FileName = keyof typeof files

/** The files that each provider supports. */
const native: Readonly<Record<string, readonly FileName[]>> = {
  OpenAI: ["photo.png", "move.gif", "plan.pdf"],
  Anthropic: ["photo.png", "move.gif", "plan.pdf"],
  Google: ["photo.png", "plan.pdf", "song.mp3"],
  "OpenAI-compatible, lean": ["photo.png", "move.gif"],
  "OpenAI-compatible, AI SDK": ["photo.png", "move.gif"],
}

describe.each(providers)("[CMP-13, CMP-15] attachments with $name", (provider) => {
  let stand: Stand
  afterEach(() => stand.close())

  const requests = () => stand.tap.requests.map(({ path, body }) => requestOf(path, body))
  const attach = async (name: FileName): Promise<string> => {
    const { type, content } = files[name]
    const hash = createHash("sha256").update(content).digest("hex")
    await stand.stage.runtime.attach(address.person, { hash, name, contentType: type }, content)
    return hash
  }
  const send = async (source: string, names: readonly FileName[]) => {
    const end = source.length
    const hashes = await Promise.all(names.map(attach))
    const nodes = hashes.map((hash) => ({ kind: "attachment", hash, start: end, end, raw: "" }))
    const { runtime } = stand.stage
    const payload = { source, nodes }
    const message = {
      type: "composer_input",
      payload,
      mode: "immediate",
      source: "person",
      txid: runtime.txid(),
    } as const
    await runtime.send(address, message)
    return stand.stage.idle()
  }
  const carried = (request: ReturnType<typeof requestOf> | undefined): readonly ModelAttachment[] =>
    request?.messages.flatMap((message) => (message.role === "person" ? (message.attachments ?? []) : [])) ?? []
  const words = (request: ReturnType<typeof requestOf> | undefined): string =>
    request?.messages.map((message) => (message.role === "person" ? message.text : "")).join("\n") ?? ""

  it("each arrives in the provider's own form, or is described where it has none", async () => {
    stand = await openStand(provider)
    const names = Object.keys(files) as FileName[]
    const rows = await send("Look.", names)
    expect(rows.status.get("status")).toMatchObject({ state: "idle", error: null })
    const [request] = requests()
    const taken = native[provider.name] ?? []
    expect(carried(request).map(({ mediaType, data }) => [mediaType, [...data]])).toEqual(
      taken.map((name) => [files[name].type, [...files[name].content]]),
    )
    for (const name of names) expect(words(request)).toContain(`[attachment ${name}]`)
    for (const name of names.filter((one) => one !== "notes.md" && !taken.includes(one)))
      expect(words(request)).toContain(`[The attachment ${name} is ${files[name].type}, which you cannot be given.]`)
    expect(words(request)).toContain(
      '<attachment name="notes.md" type="text/markdown" untrusted="true">\n# Größe\n<\\/attachment> 👍\n</attachment>',
    )
  })

  it("they are there in every step and in later turns", async () => {
    stand = await openStand(provider)
    stand.answers.push({ toolCalls: [toolCall("weather", { city: "Oslo" }, "call_1")] }, { content: "Seen." })
    await send("Look.", ["photo.png"])
    await stand.stage.send("And now?")
    await stand.stage.idle()
    const image = [{ name: "", mediaType: "image/png", data: files["photo.png"].content }]
    expect(requests().map(carried)).toEqual([image, image, image])
    expect(requests().at(-1)?.messages.at(-1)).toEqual({ role: "person", text: "And now?" })
  })

  it("a model that refuses them is asked once more without them, and told so", async () => {
    stand = await openStand(provider)
    stand.answers.push({ error: { message: "I see no images", type: "invalid_request_error" }, status: 400 })
    stand.answers.push({ content: "I cannot see it." })
    const rows = await send("Look.", ["photo.png"])
    expect(rows.status.get("status")).toMatchObject({ state: "idle", error: null })
    expect((await stand.stage.transcript()).at(-1)).toBe("agent: I cannot see it.")
    expect(requests().map((request) => carried(request).length)).toEqual([1, 0])
    expect(words(requests()[1])).toBe("Look. [attachment photo.png, image/png, 72 B: not supported by the model]")
  })

  it("a fault that has nothing to do with them is still a fault", async () => {
    stand = await openStand(provider)
    stand.answers.push({ error: { message: "Bad key" }, status: 401 })
    const rows = await send("Look.", ["photo.png"])
    expect(rows.status.get("status")).toMatchObject({ state: "error", error: { code: "model.key" } })
    expect(stand.tap.requests.length, "a wrong key has nothing to do with attachments").toBe(1)
  })
})
