/** The tools that Parlor offers over MCP: names, descriptions, input and output. Defined once for every transport. */
import { agentName, branchName, limits, MAIN_BRANCH, wellFormedText } from "@parlor/protocol"
import { z } from "zod"

const WAIT_SECONDS = { default: 45, max: 600 } as const
const READ = { default: 20, max: 100 } as const

const agent = agentName.describe("The agent to talk to, such as host")
const branch = branchName.default(MAIN_BRANCH).describe("The conversation with that agent")
const waitSeconds = z
  .number()
  .int()
  .min(0)
  .max(WAIT_SECONDS.max)
  .default(WAIT_SECONDS.default)
  .describe("How long to wait for the reply; 0 does not wait")

const ask = z.object({
  id: z.string(),
  kind: z.enum(["approval", "question", "form"]),
  title: z.string(),
  detail: z.string(),
  options: z.array(z.string()).nullable(),
})

const reply = z.object({
  agent: z.string(),
  branch: z.string().describe("The conversation: pass it to the next call"),
  message: z.string().nullable().describe("The id of the message that is answered"),
  outcome: z.enum(["started", "queued", "steering"]).optional().describe("Whether the message started or queued"),
  state: z
    .enum(["done", "running", "asks", "stopped", "failed", "removed", "idle"])
    .describe("done: text is the whole reply. running: call wait. asks: a person has to answer first."),
  text: z.string().describe("What the agent has said so far"),
  asks: z.array(ask).describe("What the agent asks the person"),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  next: z.string().optional().describe("How to continue"),
})
export type McpReplyView = z.infer<typeof reply>

const message = z.object({
  id: z.string(),
  from: z.string(),
  at: z.string(),
  text: z.string(),
  tools: z.array(z.object({ name: z.string(), state: z.string() })).optional(),
  rolledBack: z.boolean().optional(),
})
export type McpMessageView = z.infer<typeof message>

const hit = z.object({
  kind: z.enum(["message", "archive", "memory"]),
  at: z.string(),
  snippet: z.string(),
  agent: z.string().optional(),
  branch: z.string().optional(),
  title: z.string().optional(),
  scope: z.string().optional(),
  name: z.string().optional(),
})
export type McpHitView = z.infer<typeof hit>

const reads = { readOnlyHint: true } as const
const acts = { readOnlyHint: false, destructiveHint: false } as const

export const mcpTools = {
  agents: {
    title: "List agents",
    description: "Lists the agents you can talk to.",
    annotations: reads,
    input: z.object({}),
    output: z.object({ agents: z.array(z.object({ name: z.string(), description: z.string() })) }),
  },
  conversations: {
    title: "List conversations",
    description: "Lists the person's conversations, most recent first.",
    annotations: reads,
    input: z.object({
      agent: agent.optional(),
      limit: z.number().int().min(1).max(READ.max).default(READ.default),
      cursor: z.string().max(1_000).optional().describe("The cursor of the previous page"),
    }),
    output: z.object({
      conversations: z.array(
        z.object({
          agent: z.string(),
          branch: z.string(),
          title: z.string(),
          preview: z.string(),
          at: z.string(),
          state: z.string(),
          queued: z.number(),
          asks: z.number(),
        }),
      ),
      cursor: z.string().nullable(),
    }),
  },
  send: {
    title: "Send a message",
    description:
      "Sends a message to an agent in the person's name and waits for the reply. If the agent is busy, the message is " +
      "queued. Canceling the call, or losing the connection, does not stop the agent: call wait to get the reply, or stop.",
    annotations: acts,
    input: z.object({
      agent,
      branch: branchName.optional().describe("The conversation with that agent; main by default"),
      newConversation: z
        .boolean()
        .default(false)
        .describe("Starts a conversation: under the name in branch if there is none yet, otherwise under a new name"),
      text: wellFormedText.min(1).max(200_000),
      idempotencyKey: z
        .string()
        .min(1)
        .max(limits.idempotencyKeyLength / 2)
        .optional()
        .describe("Any text. A second call with the same key does not send again, and returns the same reply"),
      waitSeconds,
    }),
    output: reply,
  },
  wait: {
    title: "Wait for a reply",
    description: "Waits for the running reply of a conversation, whoever asked for it.",
    annotations: reads,
    input: z.object({ agent, branch, waitSeconds }),
    output: reply,
  },
  answer: {
    title: "Answer a question",
    description:
      "Answers what an agent asked the person, and waits for the reply to continue. Ask the person first: an approval " +
      "is theirs to give.",
    annotations: acts,
    input: z.object({
      agent,
      branch,
      ask: z.string().min(1).max(limits.nameLength).optional().describe("Its id; may be omitted if only one is open"),
      answer: z
        .union([z.boolean(), z.string().max(limits.answerBytes), z.record(z.string(), z.json())])
        .describe("true or false for an approval, an option or text for a question, the fields of a form"),
      waitSeconds,
    }),
    output: reply,
  },
  stop: {
    title: "Stop a reply",
    description: "Stops the running reply of a conversation and keeps its text so far.",
    annotations: acts,
    input: z.object({ agent, branch }),
    output: z.object({ agent: z.string(), branch: z.string(), turn: z.string(), state: z.string() }),
  },
  read: {
    title: "Read a conversation",
    description: "Reads the newest messages of a conversation, oldest first.",
    annotations: reads,
    input: z.object({
      agent,
      branch,
      limit: z.number().int().min(1).max(READ.max).default(READ.default),
      before: z.string().max(limits.nameLength).optional().describe("The value of older, for the page before"),
    }),
    output: z.object({
      state: z.string(),
      queued: z.number(),
      asks: z.array(ask),
      messages: z.array(message),
      older: z.string().nullable(),
    }),
  },
  search: {
    title: "Search",
    description: "Searches all of the person's conversations and memories, best matches first.",
    annotations: reads,
    input: z.object({
      query: wellFormedText.min(1).max(limits.searchLength),
      agent: agent.optional(),
      limit: z.number().int().min(1).max(limits.searchHits).default(limits.searchHitsDefault),
    }),
    output: z.object({ hits: z.array(hit) }),
  },
} as const

export type McpToolName = keyof typeof mcpTools
export type McpInput<N extends McpToolName> = z.output<(typeof mcpTools)[N]["input"]>
export type McpOutput<N extends McpToolName> = z.input<(typeof mcpTools)[N]["output"]>
