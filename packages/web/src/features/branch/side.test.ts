import type { Conversation } from "@parlor/client"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { leaveSide, openNewSidecar, openSide } from "./side.ts"
import { sidecarActs } from "./sidecarActs.ts"

/** As much of an element as can have the focus. */
class Focusable {
  isConnected = true
  focused = 0
  focus() {
    this.focused++
  }
}

let page: { location: { hash: string } }
let document: { activeElement: unknown; body: object; querySelector: () => Focusable }
const box = new Focusable()

beforeEach(() => {
  page = { location: { hash: "#/host" } }
  document = { activeElement: null, body: {}, querySelector: () => box }
  box.focused = 0
  vi.stubGlobal("window", page)
  vi.stubGlobal("document", document)
  vi.stubGlobal("HTMLElement", Focusable)
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => run())
})
afterEach(() => void vi.unstubAllGlobals())

it("[TAB-11] what is opened beside is in the address, and leaving takes it out and gives the focus back", () => {
  const button = new Focusable()
  document.activeElement = button
  openSide("host", "main", "bread")
  expect(page.location.hash).toBe("#/host?side=bread")
  leaveSide("host", "main")
  expect([page.location.hash, button.focused, box.focused]).toEqual(["#/host", 1, 0])
})

it("[TAB-11] when what opened it is gone, the box of the conversation in front gets the focus", () => {
  const gone = new Focusable()
  document.activeElement = gone
  openSide("host", "main", "bread")
  gone.isConnected = false
  leaveSide("host", "main")
  expect([gone.focused, box.focused]).toEqual([0, 1])
})

it("[BRA-4] it opens beside what is in front; from elsewhere beside what it hangs on", () => {
  page.location.hash = "#/host/redder"
  openSide("host", "main", "bread")
  expect(page.location.hash).toBe("#/host/redder?side=bread")
  page.location.hash = "#files/host"
  openSide("host", "main", "bread")
  expect(page.location.hash).toBe("#/host?side=bread")
  page.location.hash = "#/host/bread"
  openSide("host", "main", "bread")
  expect(page.location.hash).toBe("#/host?side=bread")
})

function fake(branch: string) {
  const did: string[] = []
  const done = (name: string) => async () => void did.push(name)
  const conversation = {
    agent: "host",
    branch,
    delete: done("delete"),
    branches: {
      merge: done("merge"),
      keep: done("keep"),
      close: done("close"),
      make: async (asked: object) => {
        did.push(JSON.stringify(asked))
        return { agent: "host", branch: "aside" }
      },
    },
  } as unknown as Conversation
  return { did, conversation }
}

it("[BRA-4] asking aside makes a sidecar from the message, or from the beginning, and opens it", async () => {
  const { did, conversation } = fake("main")
  await openNewSidecar(conversation, "msg_1")
  expect(page.location.hash).toBe("#/host?side=aside")
  await openNewSidecar(conversation, undefined)
  expect(did).toEqual(['{"ephemeral":true,"from":"msg_1"}', '{"ephemeral":true}'])
})

it("[BRA-4] merged, closed and deleted one is back; kept one is in it", async () => {
  const { did, conversation } = fake("aside")
  let left = 0
  const acts = sidecarActs(conversation, () => void left++)
  await acts.merge()
  await acts.close()
  await acts.remove()
  expect([did, left]).toEqual([["merge", "close", "delete"], 3])
  await acts.keep()
  expect([left, page.location.hash]).toEqual([3, "#/host/aside"])
})
