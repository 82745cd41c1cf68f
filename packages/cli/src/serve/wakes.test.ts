import type { Runtime } from "@parlor/core"
import { FakeClock, MemoryStore } from "@parlor/core/testing"
import { expect, test } from "vitest"
import { wakesByPerson } from "./wakes.ts"

test("[ADR-4] a wake for a linked name goes to its person, any other to the named person", async () => {
  const store = new MemoryStore(new FakeClock())
  const audit = { at: 1, person: "me", act: "test", subject: "test" }
  await store.links.link(
    { name: "telegram:42", person: "ana", createdAt: 1 },
    { most: 9, dropAttachments: false },
    audit,
  )
  const told: string[] = []
  const send: Runtime["send"] = async ({ person }) => {
    told.push(person)
    return { message: "msg_1", outcome: "started", offset: "1", txid: "tx" }
  }
  const wakes = wakesByPerson({ send, txid: () => "tx" as ReturnType<Runtime["txid"]> }, store)
  const message = {} as Parameters<Runtime["send"]>[1]
  for (const person of ["telegram:42", "telegram:43"])
    await wakes.send({ agent: "host", branch: "main", person }, message)
  expect(told).toEqual(["ana", "telegram:43"])
})
