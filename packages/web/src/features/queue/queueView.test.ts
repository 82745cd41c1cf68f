import type { MessageId, QueueRow } from "@parlor/protocol"
import { expect, it } from "vitest"
import { heldWords } from "./heldWords.ts"
import { fromWords, waitingList } from "./queueView.ts"

function row(id: string, change: Partial<QueueRow> = {}): QueueRow {
  const payload = { source: `text of ${id}` }
  const rest = {
    source: "person",
    guests: [],
    attachments: [],
    trigger: null,
    editedFrom: null,
    version: 1,
    lease: null,
    queuedAt: 0,
  }
  return { id: id as MessageId, type: "composer_input", payload, mode: "immediate", position: id, ...rest, ...change }
}

const places = (queue: readonly QueueRow[], running = true) => waitingList(queue, running).map(({ place }) => place)

it("[TAB-8] the queue tells each message's text, place and where it came from", () => {
  const queue = [row("a"), row("b", { mode: "paused", source: "api" }), row("c"), row("d", { payload: null })]
  const list = waitingList(queue, true)
  expect(list.map(({ text, place, from }) => [text, place, from])).toEqual([
    ["text of a", "next", "From you"],
    ["text of b", "paused", "By API"],
    ["text of c", "2nd in line", "From you"],
    ["", "3rd in line", "From you"],
  ])
  expect(fromWords("schedule")).toBe("On schedule")
  expect(fromWords("telegram")).toBe("From telegram")
})

it("[GST-6] a message for guests tells who will answer it", () => {
  expect(places([row("a", { guests: ["critic", "scribe"] }), row("b")])).toEqual([
    "next @critic @scribe",
    "2nd in line",
  ])
})

it("[TRN-9] a steering message joins the answer while there is one, and is next when there is none", () => {
  const queue = [row("a", { mode: "steer" }), row("b")]
  expect(places(queue)).toEqual(["joining the answer", "next"])
  expect(places(queue, false)).toEqual(["next", "2nd in line"])
})

it("[QUE-7] a message changes places with its neighbours, but not with one that joins the answer", () => {
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
  expect(words).toEqual(["Held because you stopped", "Held because of an error", "Held by you"])
})
