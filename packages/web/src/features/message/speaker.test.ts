import type { TurnId } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { speakerOf } from "./speaker.ts"

const id = (name: string) => name as TurnId
const said = (author: string, turn: string) => ({ role: "agent", author, turn: id(turn) }) as const

describe("who speaks", () => {
  it("[GST-5] is the guest whose turn runs", () => {
    const turns = [
      { id: id("t1"), agent: "host", guest: "critic" },
      { id: id("t2"), agent: "host", guest: null },
    ]
    expect(speakerOf({ status: { turn: id("t1") }, turns, messages: [] })).toBe("critic")
    expect(speakerOf({ status: { turn: id("t2") }, turns, messages: [said("critic", "t1")] })).toBe("")
  })

  it("[GST-5] is known by what was said when the turn began before the page was opened", () => {
    const messages = [said("critic", "t1"), said("", "t0")]
    expect(speakerOf({ status: { turn: id("t1") }, turns: [], messages })).toBe("critic")
    expect(speakerOf({ status: { turn: id("t2") }, turns: [], messages })).toBe("")
  })

  it("[GST-5] is nobody in particular while nothing runs", () => {
    expect(speakerOf(undefined)).toBe("")
    expect(speakerOf({ status: { turn: null }, turns: [], messages: [said("critic", "t1")] })).toBe("")
  })
})
