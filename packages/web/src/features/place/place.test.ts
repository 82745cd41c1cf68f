import fc from "fast-check"
import { expect, it } from "vitest"
import { addressOf, conversationOf, pageAddress, pages, placeIn } from "./place.ts"

const name = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed())

it("[BRA-6] the address of a branch, a message and a sidecar says each, whatever is in their names", () => {
  fc.assert(
    fc.property(name, name, fc.option(name), fc.option(name), (agent, branch, message, side) => {
      const address = addressOf(agent, branch, { message: message ?? undefined, side: side ?? undefined })
      expect(placeIn(address)).toEqual({
        page: "conversation",
        agent,
        branch,
        detail: message ?? undefined,
        side: side ?? undefined,
      })
    }),
  )
})

it("[TAB-11] every page has an address of its own, with the conversation one came from", () => {
  fc.assert(
    fc.property(fc.constantFrom(...pages), name, name, fc.option(name), (page, agent, branch, detail) => {
      const place = placeIn(pageAddress(page, agent, branch, detail ?? undefined))
      expect(place).toEqual({ page, agent, branch, detail: detail ?? undefined, side: undefined })
    }),
  )
})

it("addresses are short where they can be", () => {
  expect(addressOf("host")).toBe("#/host")
  expect(addressOf("host", "redder")).toBe("#/host/redder")
  expect(pageAddress("memory", "host")).toBe("#memory/host")
  expect(pageAddress("files", "host", "main", "a/b.md")).toBe("#files/host/main/a%2Fb.md")
  expect(conversationOf({ agent: "host", branch: "main" })).toBe("host/main")
})

it("[CLI-1] an address that names nothing is the first agent's main", () => {
  for (const hash of ["", "#", "#/", "#/a/b/c/d", "#/%E0%A4%A", "#nothing/host", "#token=x"]) {
    const { page, agent, branch } = placeIn(hash, "barista")
    expect([page, agent, branch]).toEqual(["conversation", "barista", "main"])
  }
})
