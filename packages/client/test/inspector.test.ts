import { says } from "@parlor/core/testing"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openRoom, type Room, when } from "./room.ts"

let room: Room
beforeEach(async () => {
  room = await openRoom()
})
afterEach(() => room.close())

test("[LOG-15] the SDK pages through turns and opens one, with all prompts, one of them or none", async () => {
  const conversation = room.parlor.conversation("host")
  const live = conversation.live()
  for (const [index, text] of ["One", "Two", "Three"].entries()) {
    room.script(says(`${text}.`))
    await live.send(text)
    await when(live, ({ status, messages }) => status?.state === "idle" && messages.length === 2 * (index + 1))
  }
  const first = await conversation.inspect.turns({ limit: 2 })
  expect(first.turns.map(({ question }) => question)).toEqual(["Three", "Two"])
  const rest = await conversation.inspect.turns({ cursor: first.cursor ?? "" })
  expect(rest).toMatchObject({ turns: [{ question: "One", steps: 1 }], cursor: null })
  const id = rest.turns[0]?.id ?? ""
  const states = async (step?: number) =>
    (await conversation.inspect.turn(id, step === undefined ? {} : { step })).steps.map(({ prompt }) => prompt.state)
  expect([await states(), await states(1), await states(0)]).toEqual([["exact"], ["exact"], ["left-out"]])
  expect(live.getState().turns.map(({ step }) => step)).toEqual([null, null, null])
  await expect(conversation.inspect.turn("trn_none")).rejects.toMatchObject({ code: "turn.unknown", status: 404 })
  const left = new AbortController()
  left.abort()
  await expect(conversation.inspect.turns({ signal: left.signal })).rejects.toThrow()
  live.close()
})
