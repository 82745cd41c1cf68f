import type { UsageView } from "@parlor/protocol"
import { expect, test } from "vitest"
import { usageLines } from "./usage-lines.ts"

test("[SEC-20] what was used is said in lines: today, its limits, and what it went to", () => {
  const line = { day: "2026-11-16", source: "schedule", agent: "host", model: "demo" } as const
  const view: UsageView = {
    person: "ana",
    day: "2026-11-16",
    resetsAt: Date.now() + 2.2 * 60 * 60_000,
    calls: 12,
    tokens: { used: 1_200, limit: 50_000_000 },
    costMicros: { used: 1_230_000, limit: null },
    lines: [{ ...line, calls: 12, inputTokens: 1_000, outputTokens: 200, costMicros: 1_230_000 }],
  }
  expect(usageLines(view)).toEqual([
    "Today (2026-11-16, UTC; the next day begins in 2 h)",
    "  model calls  12",
    "  tokens       1,200 of 50,000,000",
    "  cost         $1.23 of unlimited",
    "",
    "2026-11-16  schedule  host  demo  12 calls  1,000 in, 200 out  $1.23",
  ])
})
