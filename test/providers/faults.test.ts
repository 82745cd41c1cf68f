/** What providers do when they fail, over real HTTP, and what becomes of the turn (TRN-10). */
import { afterEach, describe, expect, it } from "vitest"
import { address, txid } from "../scenario/stage.ts"
import { openStand, type Provider, providers, type Stand, secret, tokens, toolCall } from "./stand.ts"
import type { Mishap } from "./wiretap.ts"

const long = { content: "one two three four five six seven eight nine ten" }

describe.each(providers)("$name failing", (provider) => {
  let stand: Stand
  /** Far enough that the text has begun: OpenAI sends a reasoning item first. */
  const midway = provider.spec.startsWith("openai/") ? 12 : 6
  afterEach(() => stand.close())

  const retries = async () =>
    (await stand.stage.log()).flatMap((change) =>
      change.type === "status" && change.value.state === "retrying" ? [change.value] : [],
    )

  it("[TRN-10] 429 is tried again when the provider says, and the status shows it", async () => {
    stand = await openStand(provider)
    stand.answers.push({ error: { message: "Slow down", type: "rate_limit" }, status: 429, retryAfter: 0.15 })
    const before = performance.now()
    await stand.stage.send("Hi")
    await stand.stage.idle()
    expect(performance.now() - before).toBeGreaterThanOrEqual(150)
    expect(await stand.stage.transcript()).toEqual(["person: Hi", "agent: Fine."])
    const [shown] = await retries()
    expect(shown).toMatchObject({ attempt: 2, error: { detail: "The model provider answered 429: Slow down" } })
    expect((shown?.retryAt ?? 0) - (shown?.since ?? 0)).toBeGreaterThan(100)
  })

  it.each([500, 503, 529])("[TRN-10] %i passes", async (status) => {
    stand = await openStand(provider)
    const failure = { error: { message: "Overloaded", type: "overloaded_error" }, status }
    stand.answers.push(failure, failure)
    await stand.stage.send("Hi")
    await stand.stage.idle()
    expect(await stand.stage.transcript()).toEqual(["person: Hi", "agent: Fine."])
    expect((await retries()).map(({ attempt }) => attempt)).toEqual([2, 3])
  })

  it("[TRN-10, MOD-14] 401 ends the turn at once with a clear error, and the key is nowhere in the log", async () => {
    stand = await openStand(provider)
    stand.answers.push({ error: { message: `Incorrect API key provided: ${secret}` }, status: 401 })
    await stand.stage.send("Hi")
    const rows = await stand.stage.until((now) => now.status.get("status")?.state === "error")
    expect(rows.status.get("status")?.error).toEqual({
      code: "model.key",
      detail: expect.stringMatching(
        /^The model provider answered 401: Incorrect API key provided: \[key\] Check [A-Z_]+_API_KEY\.$/,
      ),
    })
    expect(stand.tap.requests).toHaveLength(1)
    expect(JSON.stringify(await stand.stage.log())).not.toContain(secret)
    await stand.stage.send("Again")
    await stand.stage.idle()
    expect((await stand.stage.transcript()).at(-1)).toBe("agent: Fine.")
  })

  it.each<[string, Mishap["what"]]>([
    ["a connection reset midway", "reset"],
    ["a stream that ends midway", "end"],
    ["a stream that turns to garbage", "garbage"],
  ])("[TRN-5, TRN-10] %s is tried again; what was said is kept, marked, and not sent again", async (_, what) => {
    stand = await openStand(provider)
    stand.answers.push(long)
    stand.tap.mishaps.push({ after: midway, what })
    await stand.stage.send("Count")
    await stand.stage.idle()
    const transcript = await stand.stage.transcript()
    expect(transcript.at(-1)).toBe("agent: Fine.")
    expect(transcript.slice(1, -1)).toEqual([expect.stringMatching(/^agent \(failed\): one/)])
    expect(JSON.stringify(stand.tap.requests[1]?.body)).not.toContain("one t")
  })

  it("[TRN-10] a stall midway is tried again, and the stalled connection is closed", async () => {
    stand = await openStand(provider, { settings: { stallMs: 800 } })
    stand.answers.push(long)
    stand.tap.mishaps.push({ after: midway, what: "stall" })
    await stand.stage.send("Count")
    await stand.stage.idle()
    expect(await stand.tap.requests[0]?.closed).toBe("broken off")
    expect(await stand.stage.transcript()).toEqual([
      "person: Count",
      expect.stringMatching(/^agent \(failed\): one/),
      "agent: Fine.",
    ])
    expect((await retries())[0]?.error?.detail).toContain("was silent")
  })

  it("[TRN-4, TRN-5] a stop midway closes the connection within a moment and keeps what was said", async () => {
    stand = await openStand(provider)
    stand.answers.push(long)
    stand.tap.mishaps.push({ after: midway, what: "stall" })
    const { turn } = await stand.stage.send("Count")
    await stand.stage.until((rows) => rows.deltas.size > 0)
    const before = performance.now()
    await stand.stage.runtime.stop(address, { turn, onQueue: undefined, txid })
    expect(performance.now() - before).toBeLessThan(500)
    expect(await stand.tap.requests[0]?.closed).toBe("broken off")
    expect(performance.now() - before).toBeLessThan(1_000)
    expect((await stand.stage.transcript()).at(-1)).toMatch(/^agent \(truncated\): one/)
    await stand.stage.send("Go on")
    await stand.stage.idle()
    expect((await stand.stage.transcript()).at(-1)).toBe("agent: Fine.")
    expect(JSON.stringify(stand.tap.requests[1]?.body)).toContain("one t")
  })

  it("[TRN-6, TRN-14] a fault in the second step takes nothing of the first from the log", async () => {
    stand = await openStand(provider)
    stand.answers.push({ toolCalls: [toolCall("weather", { city: "Oslo" }, "call_1")], ...tokens(5, 1) })
    stand.answers.push({ error: { message: "down" }, status: 503 }, { content: "Four.", ...tokens(7, 2) })
    await stand.stage.send("Oslo?")
    await stand.stage.idle()
    const turns = (await stand.stage.log()).flatMap((change) => (change.type === "turns" ? [change.value] : []))
    const steps = turns.map((turn) => turn.steps)
    expect(steps).toEqual([...steps].sort())
    expect(turns.find(({ state }) => state === "retrying")).toMatchObject({ steps: 1, usage: { inputTokens: 5 } })
    expect(turns.at(-1)).toMatchObject({ steps: 2, usage: { inputTokens: 12, outputTokens: 3 } })
  })

  it("[TRN-10] a fallback of another provider takes over in the middle of a turn", async () => {
    const other = after(provider)
    stand = await openStand(provider, { fallbackTo: other, settings: { retry: { tries: 2, baseMs: 5, maxMs: 5 } } })
    const down = { error: { message: "down" }, status: 503 }
    stand.answers.push({ toolCalls: [toolCall("weather", { city: "Oslo" }, "call_1")], ...tokens(5, 1) }, down, down)
    stand.answers.push({ content: "Four degrees.", ...tokens(7, 2) })
    await stand.stage.send("Oslo?")
    const rows = await stand.stage.idle()
    expect((await stand.stage.transcript()).at(-1)).toBe("agent: Four degrees.")
    expect([...rows.turns.values()]).toMatchObject([{ state: "done", usage: { inputTokens: 12, outputTokens: 3 } }])
    const paths = stand.tap.requests.map(({ path }) => path)
    expect(paths[3]).not.toBe(paths[2])
    expect(JSON.stringify(stand.tap.requests[3]?.body)).toContain("celsius")
  })
})

/** The next in the list that speaks another wire format. */
function after(provider: Provider): Provider {
  const place = providers.indexOf(provider)
  const rest = [...providers.slice(place + 1), ...providers.slice(0, place)]
  const other = rest.find(({ spec }) => spec !== provider.spec)
  if (other === undefined) throw new Error("there is one provider only")
  return other
}
