import type { UsageView } from "@parlor/protocol"
import { expect, it } from "vitest"
import { metersOf } from "./usageView.ts"

const usage: UsageView = {
  person: "me",
  day: "2026-11-18",
  resetsAt: 0,
  calls: 12,
  tokens: { used: 1_000, limit: 4_000 },
  costMicros: { used: 250_000, limit: null },
  stored: { used: 1_048_576, limit: 2_097_152, conversations: 0, files: 0, memories: 0, triggers: 0 },
  conversations: { used: 7, limit: 0 },
  files: { used: 30, limit: 100_000 },
  lines: [],
}

it("[TAB-41] usage is shown with its limits, and as a share where there is a limit", () => {
  const shown = metersOf(usage).map(({ label, words, percent }) => `${label}: ${words} ${percent ?? "-"}`)
  expect(shown).toEqual([
    "Model calls today: 12 -",
    "Tokens today: 1,000 of 4,000 25",
    "Cost today: $0.25 -",
    "Storage: 1 MB of 2 MB 50",
    "Conversations: 7 of 0 100",
    "Files and attachments: 30 of 100,000 0",
  ])
})
