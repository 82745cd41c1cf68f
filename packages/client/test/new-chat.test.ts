import { says } from "@parlor/core/testing"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openRoom, type Room, spoken, when } from "./room.ts"

let room: Room
beforeEach(async () => {
  room = await openRoom()
})
afterEach(() => room.close())

test("[ADR-12] a new conversation is empty, asks the server for nothing, and is created with its first message", async () => {
  const requests: string[] = []
  const parlor = room.client({
    fetch: (input, init) => {
      requests.push(`${init?.method ?? "GET"} ${new URL(String(input)).pathname}`)
      return fetch(input, init)
    },
  })
  const live = parlor.conversation("host", "chat-1").live({ isNew: true })
  await when(live, ({ phase, connection }) => phase === "ready" && connection === "live")
  expect(live.getState()).toMatchObject({ status: null, messages: [], reconnectAt: null })
  expect(requests).toEqual([])
  expect((await room.parlor.conversations()).conversations).toEqual([])
  room.script(says("Hello, too."), says("Again."))
  await live.send("Hello")
  await when(live, (state) => spoken(state).includes("agent: Hello, too."))
  await live.send("Once more")
  await when(live, (state) => spoken(state).includes("agent: Again."))
  expect(requests.filter((request) => request.startsWith("PUT"))).toHaveLength(1)
  live.close()
})

test("[ADR-12] one that another client creates meanwhile is loaded when it reconnects", async () => {
  const live = room.parlor.conversation("host", "chat-2").live({ isNew: true })
  await when(live, ({ phase }) => phase === "ready")
  await room.parlor.conversation("host", "chat-2").make()
  await room.parlor.conversation("host", "chat-2").send("From elsewhere")
  live.reconnect()
  await when(live, (state) => spoken(state).includes("person: From elsewhere"))
  live.close()
})
