import { loadingState } from "@parlor/client"
import { COMPOSER_INPUT, type QueueRow } from "@parlor/protocol"
import { queuedWith as queueRow } from "@parlor/protocol/testing"
import fc from "fast-check"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { dropPlace, spotAt } from "./drag.ts"
import { QueuePanel } from "./QueuePanel.tsx"
import { RemovedNote } from "./RemovedNote.tsx"
import { FIRST_SHOWN, moreWords, shownCount, unreadWords } from "./shown.ts"
import { placeOf, undoOf } from "./undo.ts"

const panel = (queue: readonly QueueRow[]) =>
  renderToStaticMarkup(
    <QueuePanel
      live={undefined}
      state={{ ...loadingState, phase: "ready", queue }}
      sending={[]}
      onKeep={() => undefined}
    />,
  )

describe("the queue panel", () => {
  it("[TAB-8] each message can be edited, sent now, moved, paused and removed, by name", () => {
    const html = panel([queueRow("a"), queueRow("b", { source: "schedule", guests: ["critic"] })])
    for (const name of ["Edit: text of a", "Send now", "Move up", "Move down", "Skip for now", "Remove"])
      expect(html).toContain(`aria-label="${name}"`)
    expect(html).toContain("2 queued")
    expect(html).toContain("From a schedule · @critic · 2nd in line")
    expect(html).toContain('data-tip-keys="Alt+↑"')
    expect(html.match(/draggable="true"/g)).toHaveLength(2)
  })

  it("[TAB-8] a long one shows its beginning, and more on request", () => {
    const html = panel(Array.from({ length: 60 }, (_, index) => queueRow(`m${index}`)))
    expect(html).toContain("60 queued")
    expect(html.match(/aria-label="Send now"/g)).toHaveLength(FIRST_SHOWN)
    expect(html).toContain("Show 20 more of 48")
    expect([shownCount(14, 12), shownCount(15, 12), shownCount(3, 12)]).toEqual([14, 12, 3])
    expect(moreWords(15, 12)).toBe("Show 3 more")
    expect([unreadWords(1), unreadWords(3)]).toEqual([
      "1 more message appears here later",
      "3 more messages appear here later",
    ])
  })

  it("is not there when nothing waits", () => {
    expect(panel([])).toBe("")
  })

  it("[TAB-8] what was removed can be put back", () => {
    const note = <RemovedNote text="Apples" onUndo={() => undefined} onDismiss={() => undefined} />
    expect(renderToStaticMarkup(note)).toMatch(/role="status".*Removed: Apples.*Undo.*aria-label="Dismiss"/)
  })
})

describe("putting a removed message back", () => {
  const queue = [
    queueRow("a"),
    queueRow("b", { guests: ["critic"], mode: "paused" }),
    queueRow("c", { source: "webhook" }),
  ]

  it("[TAB-8] says the same to the same guests, and does not start before it is in its place", () => {
    expect(undoOf("b", queue, "text of b")).toEqual({
      text: "text of b",
      body: { type: COMPOSER_INPUT, payload: { source: "text of b" }, mode: "paused", guests: ["critic"] },
      wasPaused: true,
      after: "a",
      before: "c",
    })
    expect(undoOf("a", queue, "")?.body).not.toHaveProperty("guests")
  })

  it("[QUE-13] what a trigger sent does not come back as the person's own", () => {
    expect(undoOf("c", queue, "text of c")).toBeUndefined()
    expect(undoOf("gone", queue, "")).toBeUndefined()
  })

  it("goes between the messages it stood between, as far as they are there", () => {
    const was = { after: "a", before: "c" }
    expect(placeOf(was, queue)).toEqual({ before: "c" })
    expect(placeOf(was, [queueRow("a")])).toEqual({ after: "a" })
    expect(placeOf(was, [])).toBeUndefined()
    expect(placeOf({ after: undefined, before: undefined }, queue)).toBeUndefined()
  })
})

describe("dragging", () => {
  const order = ["a", "b", "c", "d"]

  it("[TAB-8] the nearer edge counts", () => {
    expect([spotAt(104, { top: 100, height: 20 }), spotAt(111, { top: 100, height: 20 })]).toEqual(["before", "after"])
  })

  it("[TAB-8] moves to where it is dropped, and not at all when it is there already", () => {
    expect(dropPlace("d", { id: "b", spot: "before" }, order)).toEqual({ before: "b" })
    expect(dropPlace("a", { id: "d", spot: "after" }, order)).toEqual({ after: "d" })
    expect(dropPlace("a", { id: "a", spot: "after" }, order)).toBeUndefined()
    expect(dropPlace("a", { id: "b", spot: "before" }, order)).toBeUndefined()
    expect(dropPlace("c", { id: "b", spot: "after" }, order)).toBeUndefined()
    expect(dropPlace("gone", { id: "b", spot: "after" }, order)).toBeUndefined()
    expect(dropPlace("a", { id: "gone", spot: "before" }, order)).toBeUndefined()
  })

  it("[TAB-8] where it is dropped is where it then stands, and only what stands there already stays", () => {
    const place = fc.record({
      id: fc.constantFrom(...order),
      spot: fc.constantFrom("before" as const, "after" as const),
    })
    fc.assert(
      fc.property(fc.constantFrom(...order), place, (moved, at) => {
        const rest = order.filter((id) => id !== moved)
        const index = rest.indexOf(at.id) + (at.spot === "after" ? 1 : 0)
        const wanted = moved === at.id ? order : rest.toSpliced(index, 0, moved)
        expect(dropPlace(moved, at, order) === undefined).toBe(wanted.join() === order.join())
      }),
    )
  })
})
