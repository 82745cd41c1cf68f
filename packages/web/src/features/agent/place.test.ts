import { expect, it } from "vitest"
import { addressOf, agentIn, branchIn } from "./place.ts"

it("[BRA-6] the address of a branch says its agent and its name, whatever is in it", () => {
  for (const [agent, branch] of [
    ["host", "main"],
    ["critic", "redder"],
    ["host", "what? 100% – 蟹 #1"],
  ] as const) {
    const address = addressOf(agent, branch)
    expect([agentIn(address), branchIn(address)]).toEqual([agent, branch])
  }
  expect(addressOf("host", "main")).toBe("#/host")
})

it("an address that names nothing is the first agent's main", () => {
  for (const hash of ["", "#", "#/", "#/a/b/c", "#/%E0%A4%A"])
    expect([agentIn(hash), branchIn(hash)]).toEqual(["host", "main"])
})
