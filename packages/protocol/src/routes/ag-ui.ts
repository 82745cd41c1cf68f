/** AG-UI, for `HttpAgent` of `@ag-ui/client` and pages built with it. */
import { z } from "zod"
import { limits } from "../limits.ts"
import { agentName, branchName } from "../names.ts"
import type { DescribedRoute } from "./route.ts"

const id = z.string().min(1).max(limits.nameLength)
const thread = z.object({ agent: agentName, branch: branchName })

const message = z.looseObject({ id, role: z.string() })
export type AgUiInputMessage = z.infer<typeof message>

/** Only the last message is read: the others are already in the conversation. */
const runInput = z.looseObject({
  /** The name of the branch. */
  threadId: z.string(),
  runId: id,
  protocolVersion: z.string().nullish(),
  messages: z.array(message),
  resume: z
    .array(z.looseObject({ interruptId: id, status: z.enum(["resolved", "cancelled"]), payload: z.json().optional() }))
    .nullish(),
})
export type AgUiInput = z.infer<typeof runInput>

export const agUiRoutes = {
  agUiRun: {
    needs: "write",
    repeats: "own",
    summary: "AG-UI: runs the agent with the last message, or with answers to interrupts, and streams the events",
    params: z.object({ agent: agentName }),
    body: runInput,
    answer: { status: 200, type: "text/event-stream" },
    errors: "ag-ui",
  },
  agUiConnect: {
    needs: "read",
    summary: "AG-UI: the messages so far and the current run; after `Last-Event-ID`, the rest of that run",
    params: thread,
    query: z.object({ runId: id.optional(), after: z.string().max(limits.nameLength).optional() }),
    answer: { status: 200, type: "text/event-stream" },
    errors: "ag-ui",
  },
  agUiStop: {
    needs: "write",
    summary: "AG-UI: stops the current run and keeps its text so far",
    params: thread,
    answer: { status: 204 },
    errors: "ag-ui",
  },
} as const satisfies Record<string, DescribedRoute>
