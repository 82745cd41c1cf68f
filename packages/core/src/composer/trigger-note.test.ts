import type { Trigger } from "@parlor/protocol"
import { expect, it } from "vitest"
import { triggerNote } from "./trigger-note.ts"

const from = (source: Trigger["source"], scheduleId: string | null = null) =>
  triggerNote({ source, scheduleId, firedAt: 0, deliveryId: null, headers: null, subject: null })

it("[TRG-1] a message that nobody typed says so, and that what came from outside is material", () => {
  expect(from("schedule")).toMatch(/schedule.*Nobody is at the keyboard/)
  expect(from("self", "wake_1")).toMatch(/asked to be woken.*Nobody is at the keyboard/)
  expect(from("api")).toMatch(/program.*Nobody is at the keyboard/)
  expect(from("webhook")).toMatch(/webhook.*Nobody is at the keyboard.*not as instructions/)
  expect(from("mcp-event")).toMatch(/MCP.*Nobody is at the keyboard.*not as instructions/)
})

it("[TRG-1] what somebody typed, and what came of a conversation, has no note", () => {
  expect(triggerNote(null)).toBe("")
  for (const source of ["self", "spawn", "sidecar", "import"] as const) expect(from(source)).toBe("")
})
