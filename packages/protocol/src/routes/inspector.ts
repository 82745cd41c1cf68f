/** What happened in a turn, step by step: prompt, tools, tokens, cost, timings, changes (LOG-15). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { conversationParams } from "../requests.ts"
import { problemNote } from "../rows/fields.ts"
import { textPart, toolState } from "../rows/message.ts"
import { stepNote, turnState } from "../rows/turn.ts"
import { usage } from "../rows/usage.ts"
import { wellFormedText } from "../text.ts"
import { type DescribedRoute, ok } from "./route.ts"

const at = z.number().int()

const turnGlance = z.object({
  id: z.string(),
  message: z.string(),
  /** The beginning of the message it answers. */
  question: z.string(),
  agent: z.string(),
  guest: z.string().nullable(),
  /** It summarizes the conversation instead of answering. */
  compaction: z.boolean(),
  state: turnState,
  steps: z.number().int(),
  usage,
  startedAt: at,
  endedAt: at.nullable(),
  error: problemNote.nullable(),
  /** The model of its newest step. */
  model: z.string().nullable(),
  /** How much of the model's context window its newest step used, as counted by the provider. */
  context: z.object({ tokens: z.number(), window: z.number() }).nullable(),
  /** The offset to follow the log from to read the turn's events (LOG-33). Null after an import. */
  began: z.string().nullable(),
})
export type TurnGlance = z.infer<typeof turnGlance>

const turnPage = z.object({ turns: z.array(turnGlance), cursor: z.string().nullable() })
export type TurnPage = z.infer<typeof turnPage>

const call = z.object({ call: z.string(), name: z.string() })
/** The length of the signature or encrypted reasoning that goes back to the provider with it (MOD-7). */
const returned = z.number().int().optional()
const inspectedMessage = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("person"),
    text: z.string(),
    attachments: z.array(z.object({ name: z.string(), mediaType: z.string(), bytes: z.number() })).optional(),
  }),
  z.object({
    role: z.literal("agent"),
    parts: z.array(
      z.discriminatedUnion("type", [
        textPart.extend({ returned }),
        z.object({ type: z.literal("reasoning"), text: z.string(), returned }),
        call.extend({ type: z.literal("tool"), input: z.json(), returned }),
      ]),
    ),
  }),
  z.object({
    role: z.literal("tools"),
    results: z.array(call.extend({ outcome: z.enum(["done", "failed"]), output: z.json() })),
  }),
])
export type InspectedMessage = z.infer<typeof inspectedMessage>

/** The prompt of a model call, without the bytes of attachments. */
const inspectedRequest = z.object({
  instructions: z.string(),
  messages: z.array(inspectedMessage),
  tools: z.array(
    z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
  ),
})
export type InspectedRequest = z.infer<typeof inspectedRequest>

/**
 * `exact`: identical to what was sent. `differs`: rebuilt, but parts of it have changed or are gone. `missing`: not
 * recorded, or gone. `pending`: the model call is running. `left-out`: request this step alone.
 */
const inspectedPrompt = z.object({
  state: z.enum(["exact", "differs", "missing", "pending", "left-out"]),
  request: inspectedRequest.nullable(),
})
export type InspectedPrompt = z.infer<typeof inspectedPrompt>

const inspectedTool = call.extend({
  state: toolState,
  error: problemNote.nullable(),
  startedAt: at.nullable(),
  endedAt: at.nullable(),
})
export type InspectedTool = z.infer<typeof inspectedTool>

const attempt = stepNote.shape.attempts.element
export type InspectedAttempt = z.infer<typeof attempt>

const inspectedStep = z.object({
  number: z.number().int(),
  message: z.string().nullable(),
  model: z.string().nullable(),
  window: z.number().nullable(),
  maxOutput: z.number().nullable(),
  startedAt: at.nullable(),
  firstAt: at.nullable(),
  endedAt: at.nullable(),
  usage,
  /** Every model call of the step, in order. */
  attempts: z.array(attempt),
  tools: z.array(inspectedTool),
  prompt: inspectedPrompt,
})
export type InspectedStep = z.infer<typeof inspectedStep>

/** An idle period: waiting for the person, or before a retry. */
const inspectedWait = z.object({
  kind: z.enum(["ask", "retry"]),
  title: z.string(),
  startedAt: at,
  endedAt: at.nullable(),
})
export type InspectedWait = z.infer<typeof inspectedWait>

const inspectedChange = z.object({
  seq: z.number().int(),
  at,
  collection: z.string(),
  key: z.string(),
  operation: z.enum(["insert", "update", "delete"]),
  /** The outcome as text. */
  what: z.string(),
})
export type InspectedChange = z.infer<typeof inspectedChange>

const inspectedTurn = z.object({
  turn: turnGlance,
  /** False if it ran before turns were recorded, or was imported: then there are no steps to show. */
  recorded: z.boolean(),
  /** False if it is so long that its end is omitted. */
  whole: z.boolean(),
  steps: z.array(inspectedStep),
  waits: z.array(inspectedWait),
  changes: z.array(inspectedChange),
})
export type InspectedTurn = z.infer<typeof inspectedTurn>

export const inspectorRoutes = {
  inspectTurns: {
    needs: "read",
    summary: "The turns of the conversation with their usage, newest first",
    heavy: true,
    params: conversationParams,
    query: z.object({
      cursor: wellFormedText.max(4_096).optional(),
      limit: z.coerce.number().int().min(1).max(limits.inspectedTurns).default(limits.inspectedTurnsDefault),
    }),
    answer: ok(turnPage),
  },
  inspectTurn: {
    needs: "read",
    summary: "One turn step by step: the exact prompt, tools, tokens, cost, timings, changes",
    heavy: true,
    params: conversationParams.extend({ turn: wellFormedText.min(1).max(limits.nameLength) }),
    /** Include only the prompt of that step; 0 for none. */
    query: z.object({ step: z.coerce.number().int().min(0).max(1_000_000).optional() }),
    answer: ok(inspectedTurn),
  },
} as const satisfies Record<string, DescribedRoute>
