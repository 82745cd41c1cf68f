import type { FeedNews, FeedRow, MessageId, TurnId } from "@parlor/protocol"
import { describe, expect, test } from "vitest"
import { newsOf, noteFor } from "./push-news.ts"

const row = { agent: "host", branch: "trip", title: "A trip to the sea", ephemeral: false } as FeedRow
const turn = { turn: "turn_1" as TurnId, message: "msg_1" as MessageId }
const ended = (state: "done" | "stopped" | "failed", more: object = {}): FeedNews => ({
  event: "turn.finished",
  ...turn,
  state,
  said: "We leave at nine.",
  ...more,
})
const told = (news: FeedNews, more: { isWatched?: boolean; ephemeral?: boolean } = {}) =>
  newsOf({
    person: "ana",
    row: { ...row, ephemeral: more.ephemeral ?? false },
    news,
    isWatched: more.isWatched ?? false,
  })?.kind

describe("what is pushed", () => {
  test("[APP-8] turns that finished or failed while nobody followed, and every ask", () => {
    const asks: FeedNews = {
      event: "ask.opened",
      turn: turn.turn,
      ask: "ask_1" as never,
      kind: "approval",
      title: "May I?",
    }
    expect(told(ended("done"))).toBe("done")
    expect(told(ended("failed"))).toBe("failed")
    expect(told(asks)).toBe("asks")
    expect(told(ended("done"), { isWatched: true })).toBeUndefined()
    expect(told(ended("failed"), { isWatched: true })).toBeUndefined()
    expect(told(asks, { isWatched: true })).toBe("asks")
  })

  test("[APP-8] not what the person stopped, what is tried again by itself, or replies in side chats", () => {
    expect(told(ended("stopped"))).toBeUndefined()
    expect(told(ended("failed", { retryAt: 5 }))).toBeUndefined()
    expect(told(ended("done"), { ephemeral: true })).toBeUndefined()
    expect(told(ended("failed"), { ephemeral: true })).toBe("failed")
  })

  test("[APP-9] titles and words only where they are wanted, and only their beginning", () => {
    for (const news of [ended("done", { said: "x".repeat(5_000) }), ended("failed"), ended("done", { said: "" })]) {
      const found = newsOf({ person: "ana", row, news, isWatched: false })
      if (found === undefined) throw new Error("it is pushed")
      const plain = JSON.stringify(noteFor(found, 2, { showsText: false }))
      for (const word of ["sea", "nine", "xxx"]) expect(plain).not.toContain(word)
      const wordy = noteFor(found, 2, { showsText: true })
      expect(wordy).toMatchObject({ needing: 2, text: expect.stringMatching(/sea|nine|xxx/) })
      expect(wordy.text?.length).toBeLessThan(200)
    }
  })
})
