import { type FeedRow, formatOffset } from "@parlor/protocol"
import { feedRowWith } from "@parlor/protocol/testing"
import { expect, test } from "vitest"
import { Log } from "../../test/rows.ts"
import { control, data, openStream, startWire, until } from "../../test/wire.ts"

const row = (agent: string, activityAt: number, change: Partial<FeedRow> = {}): FeedRow =>
  feedRowWith({ agent, title: agent, activityAt, ...change })

test("[LOG-14] the feed gives current rows first, then goes on from where they end, also over a cut", async () => {
  const log = new Log()
  for (let at = 0; at < 5; at++) log.add("conversations", "a/main", row("a", at), "update")
  log.add("conversations", "b/main", row("b", 9))
  const now = log.changes
    .slice(-2)
    .map((change) => ({ ...change, headers: { ...change.headers, offset: formatOffset(6) } }))
  const answers = [
    // Cut before the control: nothing says where the rows end, so they are asked for again.
    data(now),
    data(now) + control(6),
    data([log.add("conversations", "c/main", row("c", 3, { pinned: true }))]) + control(7),
    data([log.add("conversations", "b/main", row("b", 9), "delete")]) + control(8),
  ]
  const wire = await startWire((_, response) => {
    openStream(response)
    const answer = answers.shift()
    if (answer === undefined) response.write(control(8))
    else response.end(answer)
  })
  const live = wire.parlor.feed().live()
  await until(() => live.getState().conversations.length === 2 && live.getState().phase === "ready", live.subscribe)
  await until(
    () =>
      live
        .getState()
        .conversations.map((one) => one.agent)
        .join() === "c,a",
    live.subscribe,
  )
  live.close()
  await wire.close()
  expect(wire.calls.slice(0, 4).map(({ query }) => `${query.get("offset")} ${query.get("view")}`)).toEqual([
    "-1 state",
    "-1 state",
    `${formatOffset(6)} null`,
    `${formatOffset(7)} null`,
  ])
})

test("[TAB-13] the feed says when it is tried again, and goes at once when asked to", async () => {
  const HOUR = 3_600_000
  let isDown = true
  const wire = await startWire((_, response) => {
    if (isDown) return void response.destroy()
    openStream(response)
    response.write(control(0))
  })
  const live = wire
    .client({ timing: { backoffMs: HOUR, backoffMaxMs: HOUR } })
    .feed()
    .live()
  await until(() => live.getState().reconnectAt !== null, live.subscribe)
  expect(live.getState().reconnectAt).toBeGreaterThan(Date.now() + HOUR / 2 - 10_000)
  isDown = false
  live.reconnect()
  await until(() => live.getState().connection === "live", live.subscribe)
  expect(live.getState().reconnectAt).toBeNull()
  live.close()
  await wire.close()
})
