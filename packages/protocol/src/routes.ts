/**
 * Every route, described once: the scope it needs, its request and its response. Its method and path are in
 * `endpoints.ts`; a name that is in only one of the two does not compile.
 *
 * The server binds a handler to each name, the OpenAPI document and the access matrix are made from this table, and the
 * SDK takes its types from it. A route without `needs` does not compile (SEC-1).
 */
import { z } from "zod"
import { type EndpointOf, endpointOf, endpoints, type RouteName } from "./endpoints.ts"
import {
  accepted,
  agentView,
  answerBody,
  askParams,
  conversationEventsQuery,
  conversationPage,
  conversationParams,
  conversationPlace,
  deleteQuery,
  editBody,
  eventsQuery,
  exportQuery,
  feedbackBody,
  heldView,
  historyQuery,
  importQuery,
  keyBody,
  keyView,
  leaseBody,
  listQuery,
  marksBody,
  messagePage,
  queuedParams,
  queuedView,
  queuePage,
  queueQuery,
  reply,
  sendBody,
  sent,
  snapshot,
  snapshotQuery,
  stopBody,
  stopped,
} from "./requests.ts"
import { accountRoutes } from "./routes/account.ts"
import { agUiRoutes } from "./routes/ag-ui.ts"
import { attachmentRoutes } from "./routes/attachments.ts"
import { branchRoutes } from "./routes/branch.ts"
import { compactionRoutes } from "./routes/compaction.ts"
import { configRoutes } from "./routes/config.ts"
import { filesRoutes } from "./routes/files.ts"
import { grantRoutes } from "./routes/grants.ts"
import { inspectorRoutes } from "./routes/inspector.ts"
import { linkRoutes } from "./routes/links.ts"
import { mcpRoutes } from "./routes/mcp.ts"
import { memoryRoutes } from "./routes/memory.ts"
import { modelRoutes } from "./routes/models.ts"
import { openaiRoutes } from "./routes/openai.ts"
import { peopleRoutes } from "./routes/people.ts"
import { preferenceRoutes } from "./routes/preferences.ts"
import { providerRoutes } from "./routes/providers.ts"
import { pushRoutes } from "./routes/push.ts"
import { rollbackRoutes } from "./routes/rollback.ts"
import { type DescribedRoute, ok } from "./routes/route.ts"
import { searchRoutes } from "./routes/search.ts"
import { shareRoutes } from "./routes/share.ts"
import { signInRoutes } from "./routes/sign-in.ts"
import { triggerRoutes } from "./routes/trigger.ts"
import { uiRoutes } from "./routes/ui.ts"
import { usageRoutes } from "./routes/usage.ts"
import { askRow } from "./rows/ask.ts"
import { wellFormedText } from "./text.ts"

export type { Needs, Route } from "./routes/route.ts"

const health = z.object({ ok: z.boolean(), version: z.string() })

const described = {
  live: {
    needs: "nothing",
    summary: "Liveness check",
    answer: ok(health),
  },
  ready: {
    needs: "nothing",
    summary: "Readiness check; 503 with the failed checks",
    answer: ok(health),
  },
  health: {
    needs: "nothing",
    summary: "The same as /readyz",
    answer: ok(health),
  },
  describe: {
    needs: "nothing",
    summary: "This API as OpenAPI 3.1",
    answer: ok(z.record(z.string(), z.unknown())),
  },
  metrics: {
    needs: "metrics",
    summary: "Metrics of this server, in the text format of Prometheus",
    answer: { status: 200, type: "bytes" },
  },
  version: {
    needs: "nothing",
    summary: "Server version and features",
    answer: ok(
      z.object({
        name: z.string(),
        version: z.string(),
        protocols: z.array(z.string()),
        features: z.array(z.string()),
      }),
    ),
  },
  listAgents: {
    needs: "read",
    summary: "Lists the available agents",
    answer: ok(z.object({ agents: z.array(agentView) })),
  },
  listConversations: {
    needs: "read",
    summary: "The caller's conversations, newest first",
    heavy: true,
    query: listQuery,
    answer: ok(conversationPage),
  },
  followFeed: {
    needs: "read",
    summary: "The caller's conversations as a stream",
    query: eventsQuery,
    headers: ["If-None-Match", "Last-Event-ID"],
    stream: true,
  },
  openConversation: {
    needs: "read",
    summary: "The conversation as it is now, with its newest messages",
    heavy: true,
    params: conversationParams,
    query: snapshotQuery,
    answer: ok(snapshot),
  },
  makeConversation: {
    needs: "write",
    repeats: "harmless",
    summary: "Creates an empty conversation with that name, or returns the existing one",
    params: conversationParams,
    answer: ok(conversationPlace),
  },
  markConversation: {
    needs: "write",
    repeats: "harmless",
    summary: "Title, pin, archive, labels, read; undoes a deletion",
    params: conversationParams,
    body: marksBody,
    answer: ok(z.object({ conversation: conversationPage.shape.conversations.element })),
  },
  deleteConversation: {
    needs: "write",
    summary:
      "Deletes the conversation and everything in it; its branches must be named and are deleted too. With `undoable`, when the grace period is over",
    params: conversationParams,
    query: deleteQuery,
    answer: { status: 204 },
  },
  send: {
    needs: "write",
    repeats: "own",
    summary: "Sends a message: starts a turn, or queues the message",
    params: conversationParams,
    body: sendBody,
    answer: { status: 202, schema: accepted },
    waits: { status: 200, schema: reply },
    headers: ["Prefer", "Last-Event-ID"],
  },
  listMessages: {
    needs: "read",
    summary: "Older messages, newest first",
    heavy: true,
    params: conversationParams,
    query: historyQuery,
    answer: ok(messagePage),
  },
  followConversation: {
    needs: "read",
    summary: "The conversation's log as a stream",
    params: conversationParams,
    query: conversationEventsQuery,
    headers: ["If-None-Match", "Last-Event-ID"],
    stream: true,
  },
  rateMessage: {
    needs: "write",
    repeats: "harmless",
    summary: "Rates a finished reply; null takes the rating back",
    params: queuedParams,
    body: feedbackBody,
    answer: { status: 204 },
  },
  stop: {
    needs: "write",
    summary: "Stops the running turn and keeps its text so far",
    params: conversationParams,
    body: stopBody,
    answer: ok(stopped),
  },
  listQueue: {
    needs: "read",
    summary: "Queued messages in the order they will start",
    heavy: true,
    params: conversationParams,
    query: queueQuery,
    answer: ok(queuePage),
  },
  editQueued: {
    needs: "write",
    summary: "Edits, moves, pauses or releases a queued message",
    params: queuedParams,
    body: editBody,
    answer: ok(queuedView),
  },
  removeQueued: {
    needs: "write",
    summary: "Removes a queued message",
    params: queuedParams,
    answer: { status: 204 },
  },
  clearQueue: {
    needs: "write",
    summary: "Removes all queued messages",
    params: conversationParams,
    answer: ok(z.object({ removed: z.number().int() })),
  },
  sendNow: {
    needs: "write",
    summary: "Stops the running turn and starts this message",
    params: queuedParams,
    answer: { status: 202, schema: sent },
  },
  leaseQueued: {
    needs: "write",
    repeats: "harmless",
    summary: "Keeps a queued message from starting while it is edited",
    params: queuedParams,
    body: leaseBody,
    answer: ok(queuedView),
  },
  releaseQueued: {
    needs: "write",
    repeats: "harmless",
    summary: "Ends an edit lease",
    params: queuedParams,
    answer: { status: 204 },
  },
  holdQueue: {
    needs: "write",
    repeats: "harmless",
    summary: "Holds the queue: nothing starts by itself",
    params: conversationParams,
    answer: ok(heldView),
  },
  resumeQueue: {
    needs: "write",
    repeats: "harmless",
    summary: "Resumes the queue",
    params: conversationParams,
    answer: ok(heldView),
  },
  answerAsk: {
    needs: "write",
    summary: "Answers an ask that a turn is waiting for",
    params: askParams,
    body: answerBody,
    answer: ok(z.object({ ask: askRow })),
  },
  answerOpenAsk: {
    needs: "write",
    summary: "Answers the open ask of the conversation, if there is exactly one",
    params: conversationParams,
    body: answerBody,
    answer: ok(z.object({ ask: askRow })),
  },
  exportConversation: {
    needs: "read",
    summary: "The conversation as JSON Lines; with `memory`, the caller's memories too",
    heavy: true,
    params: conversationParams,
    query: exportQuery,
    answer: { status: 200, type: "application/jsonl" },
  },
  importConversation: {
    needs: "write",
    repeats: "own",
    summary: "Imports an export, or plain lines of role and text, into an empty conversation",
    heavy: true,
    query: importQuery,
    bodyType: "application/jsonl",
    answer: { status: 201, schema: z.object({ agent: z.string(), branch: z.string(), messages: z.number().int() }) },
  },
  listKeys: {
    needs: "manage",
    summary: "Lists API keys",
    answer: ok(z.object({ keys: z.array(keyView) })),
  },
  makeKey: {
    needs: "manage",
    repeats: "never",
    summary: "Creates an API key; its secret is shown once",
    body: keyBody,
    answer: { status: 201, schema: keyView.extend({ secret: z.string() }) },
  },
  revokeKey: {
    needs: "manage",
    summary: "Revokes an API key and closes its open streams",
    params: z.object({ key: wellFormedText.min(1).max(64) }),
    answer: { status: 204 },
  },
  ...signInRoutes,
  ...accountRoutes,
  ...grantRoutes,
  ...shareRoutes,
  ...linkRoutes,
  ...peopleRoutes,
  ...branchRoutes,
  ...rollbackRoutes,
  ...searchRoutes,
  ...compactionRoutes,
  ...memoryRoutes,
  ...modelRoutes,
  ...preferenceRoutes,
  ...providerRoutes,
  ...pushRoutes,
  ...filesRoutes,
  ...attachmentRoutes,
  ...triggerRoutes,
  ...mcpRoutes,
  ...inspectorRoutes,
  ...usageRoutes,
  ...configRoutes,
  ...uiRoutes,
  ...openaiRoutes,
  ...agUiRoutes,
} as const satisfies Record<RouteName, DescribedRoute>

type Routes = { readonly [N in RouteName]: (typeof described)[N] & EndpointOf<N> }

/** By way of `unknown`: comparing this many routes with one another is more than the compiler does. */
export const routes = Object.fromEntries(
  (Object.keys(endpoints) as RouteName[]).map((name) => [name, { ...endpointOf(name), ...described[name] }]),
) as unknown as Routes

type Field<R, K extends string> = R extends { readonly [P in K]: infer S } ? S : undefined
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<N extends RouteName> = Output<Field<Routes[N], "params">>
export type QueryOf<N extends RouteName> = Output<Field<Routes[N], "query">>
export type BodyOf<N extends RouteName> = Output<Field<Routes[N], "body">>
export type AnswerOf<N extends RouteName> = Output<Field<Field<Routes[N], "answer">, "schema">>

/** The same before parsing, as a client passes them. Numbers and flags of a query are text. */
export type ParamsInputOf<N extends RouteName> = Input<Field<Routes[N], "params">>
export type BodyInputOf<N extends RouteName> = Input<Field<Routes[N], "body">>
export type QueryInputOf<N extends RouteName> = Written<Input<Field<Routes[N], "query">>, QueryOf<N>>
type Written<In, Out> = In extends undefined
  ? undefined
  : { readonly [K in keyof In]: (K extends keyof Out ? WrittenValue<In[K], Out[K]> : never) | Unset<In, K> }
/** A schema that coerces text to a number has the input type `unknown`, so its output type is used instead. */
type WrittenValue<In, Out> = [Out] extends [number | boolean | undefined] ? Out : In
type Unset<In, K extends keyof In> = undefined extends In[K] ? undefined : never
