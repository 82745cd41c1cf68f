import type { UsageView } from "@parlor/protocol"
import { expect, test } from "vitest"
import { usageLines } from "./usage-lines.ts"

test("[SEC-20] usage as lines: today, limits, and what it was for", () => {
  const line = { day: "2026-11-16", source: "schedule", agent: "host", model: "demo" } as const
  const view: UsageView = {
    person: "ana",
    day: "2026-11-16",
    resetsAt: Date.now() + 2.2 * 60 * 60_000,
    calls: 12,
    tokens: { used: 1_200, limit: 50_000_000 },
    costMicros: { used: 1_230_000, limit: null },
    stored: { used: 30_720, limit: 2 * 1024 ** 3, conversations: 10_240, files: 20_480, memories: 0, triggers: 0 },
    conversations: { used: 3, limit: null },
    files: { used: 4, limit: 100_000 },
    lines: [{ ...line, calls: 12, inputTokens: 1_000, outputTokens: 200, costMicros: 1_230_000 }],
  }
  expect(usageLines(view)).toEqual([
    "Today (2026-11-16, UTC; resets in 2 h)",
    "  model calls  12",
    "  tokens       1,200 of 50,000,000",
    "  cost         $1.23 of unlimited",
    "Stored",
    "  total                  30 KB of 2 GB",
    "  conversations          10 KB",
    "  files and attachments  20 KB",
    "  memories               0 B",
    "  triggers               0 B",
    "  number of conversations  3 of unlimited",
    "  number of files          4 of 100,000",
    "",
    "2026-11-16  schedule  host  demo  12 calls  1,000 in, 200 out  $1.23",
  ])
})
