import { describe, expect, it } from "vitest"
import { comparable, compareResent, type StoredMessage } from "./resent.ts"

const stored = (text: string, change: Partial<StoredMessage> = {}): StoredMessage => ({
  id: `id of ${text}`,
  text,
  isFromClient: true,
  state: "ended",
  ...change,
})
const compare = (said: string, has: readonly StoredMessage[], more: { whole?: boolean; single?: boolean } = {}) =>
  compareResent({
    said: said.split(" "),
    stored: has,
    isWhole: more.whole ?? true,
    sendsWholeHistory: more.single ?? true,
  })
const abc = ["a", "b", "c"].map((text) => stored(text))
const replace = (text: string) => ({ kind: "replace", message: `id of ${text}` })
const append = { kind: "append" }

describe("history that a client resends", () => {
  it("[API-9] a new message after what is stored is added", () => {
    expect(compare("a b c d", abc)).toEqual(append)
    expect(compare("b c d", abc)).toEqual(append)
    expect(compare("a", [])).toEqual(append)
    expect(compare("x", abc, { single: false })).toEqual(append)
    expect(compare("x", abc, { whole: false })).toEqual(append)
  })

  it("[API-9] a message in the place of a stored one replaces it", () => {
    expect(compare("a b c", abc)).toEqual(replace("c"))
    expect(compare("a b x", abc)).toEqual(replace("c"))
    expect(compare("a x", abc)).toEqual(replace("b"))
    expect(compare("x", abc)).toEqual(replace("a"))
  })

  it("[API-9] the same message whose reply is still to come is followed", () => {
    expect(compare("a b", [stored("a"), stored("b", { state: "running" })])).toEqual({
      kind: "follow",
      message: "id of b",
    })
    const queued = [stored("a", { state: "running" }), stored("b", { state: "queued" })]
    expect(compare("a b", queued)).toEqual({ kind: "follow", message: "id of b" })
    expect(compare("a x", queued)).toEqual(append)
    expect(compare("a x", [stored("a"), stored("b", { state: "running" })])).toEqual(replace("b"))
  })

  it("[API-9] in doubt it is added: history that is unknown, repeated texts, messages of other devices", () => {
    expect(compare("x y z", abc)).toEqual(append)
    expect(compare("a yes x", [stored("a"), stored("yes"), stored("b"), stored("a"), stored("yes")])).toEqual(append)
    expect(compare("a b x", [stored("a"), stored("b"), stored("c", { isFromClient: false })])).toEqual(append)
    expect(compare("a x", [...abc, stored("d", { isFromClient: false })])).toEqual(append)
  })

  it("[API-9] spaces and line ends make no difference", () => {
    expect(comparable(" a\r\n  b\t")).toBe("a b")
  })
})
