import type { ComposerNode } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { checkGuests, mentionedGuests } from "./guests.ts"

const company = {
  host: "host",
  isAgent: (name: string) => name.startsWith("agent") || name === "host",
  isHosted: () => false,
}
const input = (...names: readonly string[]) => ({
  source: "",
  nodes: names.map((name): ComposerNode => ({ kind: "mention", name, start: 0, end: 0, raw: "" })),
})

describe("[GST-6] which agents answer", () => {
  it("the mentioned agents in order, each once, without the conversation's own agent and unknown names", () => {
    expect(mentionedGuests(input("agent-b", "host", "Horton", "agent-a", "agent-b"), company)).toEqual([
      "agent-b",
      "agent-a",
    ])
    expect(mentionedGuests({ source: "@agent-a" }, company)).toEqual([])
    const other = [{ kind: "symbol", name: "agent-a", start: 0, end: 0, raw: "" } as const]
    expect(mentionedGuests({ source: "", nodes: other }, company)).toEqual([])
  })

  it("more guests than allowed are rejected, with a pointer to the first one over the limit", () => {
    const names = Array.from({ length: 9 }, (_, index) => `agent-${index}`)
    expect(() => mentionedGuests(input("agent-0", ...names), company)).toThrow(
      expect.objectContaining({ code: "request.invalid", pointer: "/payload/nodes/9" }),
    )
  })

  it("a guest that is not an agent is rejected, with a pointer to it", () => {
    expect(() => checkGuests(["agent-a", "nobody"], company)).toThrow(
      expect.objectContaining({ code: "agent.unknown", pointer: "/guests/1" }),
    )
    checkGuests(["agent-a", "host"], company)
  })
})
