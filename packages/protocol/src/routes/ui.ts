/** The AI SDK's chat protocol, for `DefaultChatTransport` and `useChat`. */
import { z } from "zod"
import { limits } from "../limits.ts"
import { agentName, branchName } from "../names.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** A major version of the AI SDK; its transport keeps a query on every request. */
const sdk = z.object({
  sdk: z
    .enum(["6", "7"])
    .default("6")
    .transform((major) => (major === "7" ? 7 : 6)),
})
const chat = z.object({ agent: agentName, branch: branchName })

const uiPart = z.looseObject({ type: z.string() })
const uiMessage = z.looseObject({
  id: z.string().min(1).max(limits.nameLength),
  role: z.enum(["system", "user", "assistant"]),
  parts: z.array(uiPart),
})

/** Only the last message is read: the others are already in the conversation. */
const uiRequest = z.looseObject({
  /** The chat's id is the name of the branch. */
  id: branchName,
  messages: z.array(uiMessage).min(1, "There is no message to send."),
  trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
  messageId: z.string().nullish(),
})
export type UiRequest = z.infer<typeof uiRequest>
export type UiRequestMessage = UiRequest["messages"][number]

const listed = z.object({
  messages: z.array(
    z.looseObject({
      id: z.string(),
      role: z.enum(["user", "assistant"]),
      parts: z.array(z.looseObject({ type: z.string() })),
    }),
  ),
  older: z.string().nullable(),
})

export const uiRoutes = {
  uiSend: {
    needs: "write",
    repeats: "own",
    summary: "AI SDK: sends the last message of a chat and streams the answer",
    params: z.object({ agent: agentName }),
    query: sdk,
    body: uiRequest,
    answer: { status: 200, type: "text/event-stream" },
    errors: "text",
  },
  uiResume: {
    needs: "read",
    summary: "AI SDK: the streaming answer from its beginning; 204 if there is none",
    params: chat,
    query: sdk,
    answer: { status: 200, type: "text/event-stream" },
    errors: "text",
  },
  uiMessages: {
    needs: "read",
    summary: "AI SDK: the newest messages of a chat as UI messages",
    heavy: true,
    params: chat,
    query: z.object({
      before: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(limits.snapshotMessages).default(limits.pageMessagesDefault),
    }),
    answer: ok(listed),
    errors: "text",
  },
  uiStop: {
    needs: "write",
    summary: "AI SDK: stops the answer and keeps its text so far",
    params: chat,
    answer: { status: 204 },
    errors: "text",
  },
} as const satisfies Record<string, DescribedRoute>
