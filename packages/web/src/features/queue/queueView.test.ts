import type { QueueRow } from "@parlor/protocol"
import { queuedWith as row } from "@parlor/protocol/testing"
import { expect, it } from "vitest"
import { heldWords } from "./heldWords.ts"
import { fromWords, waitingList } from "./queueView.ts"

const places = (queue: readonly QueueRow[], running = true) => waitingList(queue, running).map(({ place }) => place)

it("[TAB-8] the queue tells each message's text, place and where it came from", () => {
  const queue = [row("a"), row("b", { mode: "paused", source: "api" }), row("c"), row("d", { payload: null })]
  const list = waitingList(queue, true)
  expect(list.map(({ text, place, from }) => [text, place, from])).toEqual([
    ["text of a", "next", "From you"],
    ["text of b", "skipped", "From the API"],
    ["text of c", "2nd in line", "From you"],
    ["Message of type “composer_input”", "3rd in line", "From you"],
  ])
  expect(fromWords("schedule")).toBe("From a schedule")
  expect(fromWords("telegram")).toBe("From telegram")
})

it("[TAB-8] a message without words tells what goes along, and one of a trigger what it was about", () => {
  const picture = { type: "attachment", hash: "h", name: "cat.png", mediaType: "image/png", bytes: 1 } as const
  const trigger = { source: "webhook", firedAt: 0, scheduleId: null, deliveryId: null, headers: null } as const
  const [files, hook] = waitingList(
    [
      row("a", { payload: { source: "" }, attachments: [picture] }),
      row("b", { source: "webhook", trigger: { ...trigger, subject: "push" } }),
    ],
    true,
  )
  expect([files?.text, files?.attached]).toEqual(["cat.png", 1])
  expect(hook?.from).toBe("From a webhook: push")
})

it("[GST-6] a message for guests tells who will answer it", () => {
  const list = waitingList([row("a", { guests: ["critic", "scribe"] }), row("b")], true)
  expect(list.map(({ guests }) => guests)).toEqual([["critic", "scribe"], []])
})

it("[TRN-9] a steering message joins the answer while there is one, and is next when there is none", () => {
  const queue = [row("a", { mode: "steer" }), row("b")]
  expect(places(queue)).toEqual(["adding to current reply", "next"])
  expect(places(queue, false)).toEqual(["next", "2nd in line"])
})

it("[QUE-7] a message changes places with its neighbors, but not with one that joins the answer", () => {
  const queue = [row("a", { mode: "steer" }), row("b"), row("c")]
  const around = waitingList(queue, true).map(({ above, below }) => [above, below])
  expect(around).toEqual([
    [undefined, undefined],
    [undefined, "c"],
    ["b", undefined],
  ])
})

it("[QUE-5, QUE-6] a hold is told with its reason", () => {
  const words = (["stopped", "error", "asked"] as const).map((reason) => heldWords({ reason, since: 0 }))
  expect(words).toEqual(["Queue paused after you stopped", "Queue paused after an error", "Queue paused"])
})

it("[QUE-20] [QUE-21] a hold that ends by itself says when, unless people's messages wait for a person", () => {
  const held = { reason: "error", since: 0, until: Date.UTC(2026, 2, 1, 9, 30) } as const
  expect(heldWords(held)).toMatch(/^Queue paused after an error until .*30/)
  expect(heldWords({ ...held, only: "triggers" })).toBe("Queue paused after an error")
})
