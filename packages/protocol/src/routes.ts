/**
 * Every route, described once: method, path, the right it needs, what goes in and what comes out.
 *
 * The server binds a handler to each name, the OpenAPI document and the access matrix are made from this table, and the
 * SDK takes its types from it. A route without `needs` does not compile (SEC-1).
 */
import { z } from "zod"
import {
  agentView,
  answerBody,
  askParams,
  conversationPage,
  conversationParams,
  deleteQuery,
  editBody,
  eventsQuery,
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
  sendBody,
  sent,
  snapshot,
  snapshotQuery,
  stopBody,
  stopped,
} from "./requests.ts"
import { attachmentRoutes } from "./routes/attachments.ts"
import { branchRoutes } from "./routes/branch.ts"
import { compactionRoutes } from "./routes/compaction.ts"
import { filesRoutes } from "./routes/files.ts"
import { inspectorRoutes } from "./routes/inspector.ts"
import { linkRoutes } from "./routes/links.ts"
import { mcpRoutes } from "./routes/mcp.ts"
import { memoryRoutes } from "./routes/memory.ts"
import { rollbackRoutes } from "./routes/rollback.ts"
import { conversation, ok, type Route } from "./routes/route.ts"
import { searchRoutes } from "./routes/search.ts"
import { triggerRoutes } from "./routes/trigger.ts"
import { uiRoutes } from "./routes/ui.ts"
import { usageRoutes } from "./routes/usage.ts"
import { askRow } from "./rows/ask.ts"
import { wellFormedText } from "./text.ts"

export type { Method, Needs, Route } from "./routes/route.ts"

const health = z.object({ ok: z.boolean(), version: z.string() })

export const routes = {
  live: {
    method: "GET",
    path: "/livez",
    needs: "nothing",
    summary: "Whether the process is alive",
    answer: ok(health),
  },
  ready: {
    method: "GET",
    path: "/readyz",
    needs: "nothing",
    summary: "Whether the server can serve; 503 with the checks that failed otherwise",
    answer: ok(health),
  },
  health: {
    method: "GET",
    path: "/healthz",
    needs: "nothing",
    summary: "The same as /readyz",
    answer: ok(health),
  },
  describe: {
    method: "GET",
    path: "/openapi.json",
    needs: "nothing",
    summary: "This surface as OpenAPI 3.1",
    answer: ok(z.record(z.string(), z.unknown())),
  },
  version: {
    method: "GET",
    path: "/v1/version",
    needs: "nothing",
    summary: "Which server this is, and what it can do",
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
    method: "GET",
    path: "/v1/agents",
    needs: "read",
    summary: "The agents one can talk to",
    answer: ok(z.object({ agents: z.array(agentView) })),
  },
  listConversations: {
    method: "GET",
    path: "/v1/conversations",
    needs: "read",
    summary: "The caller's conversations, newest first",
    heavy: true,
    query: listQuery,
    answer: ok(conversationPage),
  },
  followFeed: {
    method: "GET",
    path: "/v1/feed",
    needs: "read",
    summary: "The caller's conversations as a stream",
    query: eventsQuery,
    stream: true,
  },
  openConversation: {
    method: "GET",
    path: conversation,
    needs: "read",
    summary: "The conversation as it is now, with its newest messages",
    heavy: true,
    params: conversationParams,
    query: snapshotQuery,
    answer: ok(snapshot),
  },
  makeConversation: {
    method: "PUT",
    path: conversation,
    needs: "write",
    repeats: "harmless",
    summary: "Makes an empty conversation of that name, or finds the one that is there",
    params: conversationParams,
    answer: ok(z.object({ agent: z.string(), branch: z.string() })),
  },
  markConversation: {
    method: "PATCH",
    path: conversation,
    needs: "write",
    repeats: "harmless",
    summary: "Title, pin, archive, read",
    params: conversationParams,
    body: marksBody,
    answer: ok(z.object({ conversation: conversationPage.shape.conversations.element })),
  },
  deleteConversation: {
    method: "DELETE",
    path: conversation,
    needs: "write",
    summary: "Deletes the conversation with all that is in it; its branches have to be named, and go too",
    params: conversationParams,
    query: deleteQuery,
    answer: { status: 204 },
  },
  send: {
    method: "POST",
    path: `${conversation}/messages`,
    needs: "write",
    repeats: "own",
    summary: "Sends a message: it starts a turn, or queues",
    params: conversationParams,
    body: sendBody,
    answer: { status: 202, schema: sent },
  },
  listMessages: {
    method: "GET",
    path: `${conversation}/messages`,
    needs: "read",
    summary: "Older messages, newest first",
    heavy: true,
    params: conversationParams,
    query: historyQuery,
    answer: ok(messagePage),
  },
  followConversation: {
    method: "GET",
    path: `${conversation}/events`,
    needs: "read",
    summary: "The conversation's log as a stream",
    params: conversationParams,
    query: eventsQuery,
    stream: true,
  },
  stop: {
    method: "POST",
    path: `${conversation}/stop`,
    needs: "write",
    summary: "Stops the running turn and keeps what it said",
    params: conversationParams,
    body: stopBody,
    answer: ok(stopped),
  },
  editQueued: {
    method: "PATCH",
    path: `${conversation}/queue/:message`,
    needs: "write",
    summary: "Edits, moves, pauses or releases a waiting message",
    params: queuedParams,
    body: editBody,
    answer: ok(queuedView),
  },
  removeQueued: {
    method: "DELETE",
    path: `${conversation}/queue/:message`,
    needs: "write",
    summary: "Removes a waiting message",
    params: queuedParams,
    answer: { status: 204 },
  },
  clearQueue: {
    method: "DELETE",
    path: `${conversation}/queue`,
    needs: "write",
    summary: "Removes all waiting messages",
    params: conversationParams,
    answer: ok(z.object({ removed: z.number().int() })),
  },
  sendNow: {
    method: "POST",
    path: `${conversation}/queue/:message/send-now`,
    needs: "write",
    summary: "Stops what runs and starts this message",
    params: queuedParams,
    answer: { status: 202, schema: sent },
  },
  leaseQueued: {
    method: "PUT",
    path: `${conversation}/queue/:message/lease`,
    needs: "write",
    repeats: "harmless",
    summary: "Keeps a waiting message from starting while it is edited",
    params: queuedParams,
    body: leaseBody,
    answer: ok(queuedView),
  },
  releaseQueued: {
    method: "DELETE",
    path: `${conversation}/queue/:message/lease`,
    needs: "write",
    repeats: "harmless",
    summary: "Ends an edit lease",
    params: queuedParams,
    answer: { status: 204 },
  },
  holdQueue: {
    method: "POST",
    path: `${conversation}/queue/hold`,
    needs: "write",
    repeats: "harmless",
    summary: "Holds the queue: nothing starts by itself",
    params: conversationParams,
    answer: ok(heldView),
  },
  resumeQueue: {
    method: "POST",
    path: `${conversation}/queue/resume`,
    needs: "write",
    repeats: "harmless",
    summary: "Lets the queue go on",
    params: conversationParams,
    answer: ok(heldView),
  },
  answerAsk: {
    method: "POST",
    path: `${conversation}/asks/:ask/answer`,
    needs: "write",
    summary: "Answers what a turn waits for",
    params: askParams,
    body: answerBody,
    answer: ok(z.object({ ask: askRow })),
  },
  exportConversation: {
    method: "GET",
    path: `${conversation}/export`,
    needs: "read",
    summary: "The conversation as JSON Lines",
    heavy: true,
    params: conversationParams,
    answer: { status: 200, type: "application/jsonl" },
  },
  importConversation: {
    method: "POST",
    path: "/v1/import",
    needs: "write",
    repeats: "own",
    summary: "Takes an export, or plain lines of role and text, into an empty conversation",
    heavy: true,
    query: importQuery,
    bodyType: "application/jsonl",
    answer: { status: 201, schema: z.object({ agent: z.string(), branch: z.string(), messages: z.number().int() }) },
  },
  listKeys: {
    method: "GET",
    path: "/v1/keys",
    needs: "manage",
    summary: "API keys",
    answer: ok(z.object({ keys: z.array(keyView) })),
  },
  makeKey: {
    method: "POST",
    path: "/v1/keys",
    needs: "manage",
    repeats: "never",
    summary: "Makes an API key; its secret is shown once",
    body: keyBody,
    answer: { status: 201, schema: keyView.extend({ secret: z.string() }) },
  },
  revokeKey: {
    method: "DELETE",
    path: "/v1/keys/:key",
    needs: "manage",
    summary: "Revokes an API key and cuts what it has open",
    params: z.object({ key: wellFormedText.min(1).max(64) }),
    answer: { status: 204 },
  },
  ...linkRoutes,
  ...branchRoutes,
  ...rollbackRoutes,
  ...searchRoutes,
  ...compactionRoutes,
  ...memoryRoutes,
  ...filesRoutes,
  ...attachmentRoutes,
  ...triggerRoutes,
  ...mcpRoutes,
  ...inspectorRoutes,
  ...usageRoutes,
  ...uiRoutes,
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes
type Field<R, K extends string> = R extends { readonly [P in K]: infer S } ? S : undefined
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<N extends RouteName> = Output<Field<(typeof routes)[N], "params">>
export type QueryOf<N extends RouteName> = Output<Field<(typeof routes)[N], "query">>
export type BodyOf<N extends RouteName> = Output<Field<(typeof routes)[N], "body">>
export type BodyInputOf<N extends RouteName> = Input<Field<(typeof routes)[N], "body">>
export type AnswerOf<N extends RouteName> = Output<Field<Field<(typeof routes)[N], "answer">, "schema">>
