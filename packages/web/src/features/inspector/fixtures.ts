/** Turns to test the inspector with. */
import { emptyUsage, type InspectedStep, type InspectedTurn, type MessageId, type TurnGlance } from "@parlor/protocol"

const usage = { ...emptyUsage, inputTokens: 1_000, outputTokens: 50, costMicros: 1_250 }

export function glance(change: Partial<TurnGlance> = {}): TurnGlance {
  return {
    ...{ id: "trn_1", message: "msg_1", question: "When is the tide?", agent: "host", guest: null, compaction: false },
    ...{ state: "done", steps: 1, usage, startedAt: 1_000, endedAt: 3_000, error: null, model: "big" },
    context: { tokens: 1_050, window: 4_000 },
    began: "0000000000000001",
    ...change,
  }
}

export function step(change: Partial<InspectedStep> = {}): InspectedStep {
  const attempt = {
    model: "big",
    message: "msg_2" as MessageId,
    startedAt: 1_000,
    firstAt: 1_400,
    endedAt: 2_000,
    usage,
    error: null,
  }
  return {
    ...{ number: 1, message: "msg_2", model: "big", window: 4_000, maxOutput: null },
    ...{ startedAt: 1_000, firstAt: 1_400, endedAt: 2_000, usage, attempts: [attempt], tools: [] },
    prompt: {
      state: "exact",
      request: {
        instructions: "Be a crab.",
        messages: [{ role: "person", text: "When is the tide?" }],
        tools: [{ name: "lookup", description: "Looks it up.", inputSchema: { type: "object" } }],
      },
    },
    ...change,
  }
}

export function inspected(change: Partial<InspectedTurn> = {}): InspectedTurn {
  return { turn: glance(), recorded: true, whole: true, steps: [step()], waits: [], changes: [], ...change }
}
