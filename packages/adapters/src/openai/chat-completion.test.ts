import { emptyUsage, type TurnEvent, type TurnEventBody } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { ChatCompletion } from "./chat-completion.ts"

type Body = { readonly type: TurnEventBody["type"]; readonly [field: string]: unknown }

const usage = { ...emptyUsage, inputTokens: 5, outputTokens: 2, cachedTokens: 1, reasoningTokens: 1 }
const started: Body = { type: "turn-started", message: "q", guestsNext: [] }
const step: Body = { type: "step-started", message: "m", author: "" }
const stepDone: Body = { type: "step-ended", message: "m", state: "done", usage }
const begins: Body = { type: "text-started", message: "m", part: 0, kind: "text" }
const says = (text: string, kind = "text"): Body => ({ type: "text-delta", message: "m", part: 0, kind, text })
const reset: Body = { type: "attempt-reset", message: "m" }
const ended = (state = "done", error: object | null = null): Body => ({ type: "turn-ended", state, error, usage })
const ask = (id: string, kind = "approval"): object => ({ id, kind, title: `${id}?`, detail: "", options: null })
const opened = (id: string): Body => ({ type: "ask-opened", ask: ask(id) })
const closed = (id: string): Body => ({ type: "ask-closed", ask: ask(id) })

function run(bodies: readonly Body[], options: { afterAsk?: string; includeUsage?: boolean } = {}) {
  const reply = new ChatCompletion({ id: "c", model: "host", created: 7, ...options })
  const chunks = bodies.flatMap((body) => reply.read({ turn: "t", offset: "", n: 0, ...body } as unknown as TurnEvent))
  return { reply, chunks, deltas: chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta)) }
}

describe("a turn as a chat completion", () => {
  it("[API-6] the first chunk names the role, the last one the reason; the usage comes after it on request", () => {
    const { chunks, reply } = run([started, step, begins, says("Hi "), says("there."), stepDone, ended()], {
      includeUsage: true,
    })
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: "assistant", content: "Hi " },
      { content: "there." },
      {},
      undefined,
    ])
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, "stop", undefined])
    expect(chunks.map((chunk) => chunk.usage?.total_tokens)).toEqual([undefined, undefined, undefined, 7])
    expect(reply.whole().choices[0]?.message.content).toBe("Hi there.")
    expect(reply.whole().usage.completion_tokens_details.reasoning_tokens).toBe(1)
    const silent = run([started, ended()])
    expect(silent.chunks.map((chunk) => "usage" in chunk)).toEqual([false])
  })

  it("[API-6] steps and guests are paragraphs, a repeated attempt is not, and reasoning is apart", () => {
    const guests = { ...started, guestsNext: ["critic"] }
    const { reply, deltas } = run([
      ...[guests, step, begins, says("Half "), { ...stepDone, state: "failed", usage: null }, reset],
      ...[step, begins, says("Half and"), says(" half."), stepDone, step, says("Hm", "reasoning"), begins],
      ...[says("More."), ended(), started, step, begins, says("I agree."), stepDone, ended()],
    ])
    expect(reply.text).toBe("Half and half.\n\nMore.\n\nI agree.")
    expect(deltas).toContainEqual({ reasoning_content: "Hm" })
    expect(reply.ended).toBe(true)
  })

  it("[API-12] ends at a question, continues after its answer, and asks what is still open", () => {
    const turn = [started, step, begins, says("Wait."), opened("a"), opened("b"), closed("a")]
    const first = run(turn)
    expect(first.reply.text).toBe("Wait.\n\n**a?**\n\nReply yes or no.")
    const second = run([...turn, closed("b"), says("Done."), ended()], { afterAsk: "a" })
    expect(second.reply.text).toBe("**b?**\n\nReply yes or no.")
    const third = run([...turn, closed("b"), begins, says("Done."), ended()], { afterAsk: "b" })
    expect(third.reply.text).toBe("Done.")
  })

  it("[API-6] a failed turn has an error instead of an end, a stopped one just ends", () => {
    const failed = run([started, ended("failed", { code: "x", detail: "It broke." })])
    expect([failed.chunks, failed.reply.error]).toEqual([[], "It broke."])
    expect(run([started, ended("interrupted")]).reply.error).toBe("The turn was interrupted.")
    const stopped = run([started, step, begins, says("Some"), ended("stopped")])
    expect(stopped.reply).toMatchObject({ error: undefined, ended: true, text: "Some" })
    expect(stopped.reply.read({ ...says("more"), turn: "t", offset: "", n: 0 } as unknown as TurnEvent)).toEqual([])
  })
})
