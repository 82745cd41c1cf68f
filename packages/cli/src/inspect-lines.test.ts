import { emptyUsage, type InspectedStep, type InspectedTurn, type TurnGlance } from "@parlor/protocol"
import { describe, expect, it } from "vitest"
import { glanceLines, promptLines, turnLines } from "./inspect-lines.ts"

const usage = { ...emptyUsage, inputTokens: 900, outputTokens: 12, cachedTokens: 100, costMicros: 1_250 }
const turn: TurnGlance = {
  ...{ id: "trn_1", message: "msg_1", question: "When is the tide?\u001b[2J", agent: "host", guest: null },
  ...{ compaction: false, state: "done", steps: 1, usage, startedAt: 1_000, endedAt: 3_500, error: null },
  ...{ model: "big", context: { tokens: 912, window: 4_000 }, began: null },
}
const attempt = {
  model: "big",
  message: null,
  startedAt: 1_000,
  firstAt: null,
  endedAt: 1_200,
  usage: null,
  error: "overloaded",
}
const step: InspectedStep = {
  ...{ number: 1, message: "msg_2", model: "big", window: 4_000, maxOutput: null, usage },
  ...{ startedAt: 1_000, firstAt: 1_400, endedAt: 2_000 },
  attempts: [attempt, { ...attempt, error: null }],
  tools: [
    {
      call: "c",
      name: "lookup",
      state: "failed",
      error: { code: "x", detail: "wet" },
      startedAt: 2_100,
      endedAt: 2_600,
    },
  ],
  prompt: {
    state: "exact",
    request: {
      instructions: "Be a crab.",
      messages: [
        { role: "person", text: "See", attachments: [{ name: "a.png", mediaType: "image/png", bytes: 9 }] },
        {
          role: "agent",
          parts: [
            { type: "text", text: "I look." },
            { type: "tool", call: "c", name: "lookup", input: { a: 1 } },
          ],
        },
        { role: "tools", results: [{ call: "c", name: "lookup", outcome: "failed", output: { why: "wet" } }] },
      ],
      tools: [{ name: "lookup", description: "Looks it up.", inputSchema: { type: "object" } }],
    },
  },
}
const inspected: InspectedTurn = {
  ...{ turn, recorded: true, whole: false, steps: [step] },
  waits: [{ kind: "ask", title: "May I?", startedAt: 2_000, endedAt: null }],
  changes: [{ seq: 7, at: 3_500, collection: "status", key: "status", operation: "update", what: "busy → idle" }],
}

describe("turns as lines", () => {
  it("[LOG-15] a line each: state, usage and question; no escape sequence gets through", () => {
    const [line = ""] = glanceLines([turn])
    expect(line).toMatch(
      /^trn_1 .* done, 2\.5 s, 1 step, 900 in 100 cached 12 out, \$0\.0013, 23 % of context window {2}When is/,
    )
    expect(line).not.toContain("\u001b")
    const other = {
      ...turn,
      guest: "critic",
      compaction: true,
      context: null,
      endedAt: null,
      state: "running",
    } as const
    expect(glanceLines([other])[0]).toMatch(/running, as critic, not ended, .*\(compaction\)$/)
  })

  it("[LOG-15] one turn is a timeline: steps, failed attempts, tools, waits, changes", () => {
    expect(turnLines(inspected).slice(2)).toEqual([
      "   +0.00 s  step 1: big, 1.0 s, first token after 400 ms, 900 in 100 cached 12 out, $0.0013, prompt exact",
      "   +0.00 s    big failed: overloaded",
      "   +1.10 s    tool lookup failed 500 ms: wet",
      "   +1.00 s  waited not ended: May I?",
      "",
      "Changes",
      "   +2.50 s      7  busy → idle",
      "  … the rest is too long to show",
    ])
    const failed = { ...turn, error: { code: "model.failed", detail: "Down." } }
    expect(turnLines({ ...inspected, turn: failed })[1]).toBe("  model.failed: Down.")
    expect(turnLines({ ...inspected, recorded: false }).join()).toContain("were not recorded")
  })

  it("[LOG-15] a prompt is shown in full, and says whether it is exact", () => {
    const text = promptLines(step).join("\n")
    for (const said of ["exactly as sent", "Be a crab.", "── person\nSee\n[a.png, 9 B]", '→ lookup {"a":1} (c)'])
      expect(text).toContain(said)
    expect(text).toContain('← lookup failed (c): {"why":"wet"}')
    expect(text).toContain('lookup: Looks it up.\n  {"type":"object"}')
    expect(promptLines({ ...step, prompt: { ...step.prompt, state: "differs" } })[0]).toContain("may differ")
    expect(promptLines({ ...step, prompt: { state: "missing", request: null } })).toEqual([
      "The prompt of step 1 is not available (missing).",
    ])
  })
})
