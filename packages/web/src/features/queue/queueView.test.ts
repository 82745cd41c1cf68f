import type { MessageId, QueueRow } from "@parlor/protocol"
import { expect, it } from "vitest"
import { waitingList } from "./queueView.ts"

function row(id: string, change: Partial<QueueRow> = {}): QueueRow {
  const payload = { source: `text of ${id}` }
  const rest = { source: "person", guests: [], version: 1, lease: null, queuedAt: 0 }
  return { id: id as MessageId, type: "composer_input", payload, mode: "immediate", position: id, ...rest, ...change }
}

it("[TAB-8] the queue tells each message's text and place", () => {
  const list = waitingList([row("a"), row("b", { mode: "paused" }), row("c"), row("d", { payload: null })])
  expect(list.map(({ text, place }) => [text, place])).toEqual([
    ["text of a", "next"],
    ["text of b", "paused"],
    ["text of c", "3rd in line"],
    ["", "4th in line"],
  ])
})
