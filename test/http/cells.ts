/**
 * The response of each route to its owner and to another signed-in person (SEC-1).
 *
 * The owner's conversation `host/secret` exists; nobody else has one of that name. A route without a cell here fails the
 * matrix.
 */
import type { RefusalCode, RouteName } from "@parlor/protocol"
import { type Ask, digest } from "./client.ts"

export const SECRET = "canary-only-the-owner-may-read-this"
export const SECRET_BRANCH = "secret"

export type Cell = {
  /** Path and query, without the stream's transport. */
  readonly path: string
  readonly ask?: Ask
  /** The response to the owner. */
  readonly owner: number
  /** The response to another person: their own data, or a not-found code. */
  readonly other: number | Extract<RefusalCode, `${string}.unknown`>
}

const secret = `/v1/conversations/host/${SECRET_BRANCH}`
const made = JSON.stringify(["host", SECRET_BRANCH, "msg_any", 0, 0, true, true])
const MADE_UP_RESPONSE = `resp_${Buffer.from(made).toString("base64url")}`
/** Of the example browser in RFC 8291. */
export const BROWSER_KEYS = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
}
const json = (body: unknown): Ask => ({ body: JSON.stringify(body) })

/** Ids of what the owner has before the first request. */
export type Owned = {
  readonly schedule: string
  readonly hook: string
  readonly notice: string
  readonly share: string
  readonly push: string
}

export function cells(
  ownersKey: string,
  { schedule, hook, notice, share, push }: Owned = {
    schedule: "sch_any",
    hook: "hook_any",
    notice: "ntc_any",
    share: "shr_any",
    push: "push_any",
  },
): Readonly<Record<RouteName, Cell>> {
  return {
    live: { path: "/livez", owner: 200, other: 200 },
    ready: { path: "/readyz", owner: 200, other: 200 },
    health: { path: "/healthz", owner: 200, other: 200 },
    describe: { path: "/openapi.json", owner: 200, other: 200 },
    version: { path: "/v1/version", owner: 200, other: 200 },
    listAgents: { path: "/v1/agents", owner: 200, other: 200 },
    listModels: { path: "/v1/agents/host/models", owner: 200, other: 200 },
    readPreferences: { path: "/v1/preferences", owner: 200, other: 200 },
    writePreferences: {
      path: "/v1/preferences",
      ask: json({ preferences: {}, version: 0 }),
      owner: 200,
      other: 200,
    },
    readPush: { path: "/v1/push", owner: 200, other: 200 },
    subscribePush: {
      path: "/v1/push",
      ask: json({ endpoint: "https://push.example.com/send/1", keys: BROWSER_KEYS }),
      owner: 200,
      other: 200,
    },
    unsubscribePush: { path: `/v1/push/${push}`, owner: 204, other: "push.unknown" },
    testPush: { path: `/v1/push/${push}/test`, owner: 200, other: "push.unknown" },
    listProviders: { path: "/v1/providers", owner: 200, other: 403 },
    // The test server has no providers to connect.
    connectProvider: { path: "/v1/providers/openai", ask: json({ key: "sk-0123456789" }), owner: 404, other: 403 },
    testProvider: { path: "/v1/providers/openai/test", ask: json({ key: "sk-0123456789" }), owner: 404, other: 403 },
    disconnectProvider: { path: "/v1/providers/openai", owner: 404, other: 403 },
    listConversations: { path: "/v1/conversations", owner: 200, other: 200 },
    followFeed: { path: "/v1/feed", owner: 200, other: 200 },
    openConversation: { path: secret, owner: 200, other: "conversation.unknown" },
    makeConversation: { path: `/v1/conversations/host/made`, owner: 200, other: 200 },
    markConversation: { path: secret, ask: json({ pinned: true }), owner: 200, other: "conversation.unknown" },
    setModel: {
      path: `${secret}/settings`,
      ask: json({ temperature: 0.5 }),
      owner: 200,
      other: "conversation.unknown",
    },
    send: { path: `${secret}/messages`, ask: json({ text: "hi" }), owner: 202, other: "conversation.unknown" },
    listMessages: { path: `${secret}/messages`, owner: 200, other: "conversation.unknown" },
    followConversation: { path: `${secret}/events`, owner: 200, other: "conversation.unknown" },
    rateMessage: {
      path: `${secret}/messages/msg_any/feedback`,
      ask: json({ feedback: "up" }),
      owner: 404,
      other: "conversation.unknown",
    },
    stop: { path: `${secret}/stop`, ask: json({}), owner: 200, other: "conversation.unknown" },
    listQueue: { path: `${secret}/queue`, owner: 200, other: "conversation.unknown" },
    // The queue is empty: the owner sees that; another person does not even see that the conversation exists.
    editQueued: {
      path: `${secret}/queue/msg_any`,
      ask: json({ text: "hi", version: 1 }),
      owner: 409,
      other: "conversation.unknown",
    },
    removeQueued: { path: `${secret}/queue/msg_any`, owner: 409, other: "conversation.unknown" },
    clearQueue: { path: `${secret}/queue`, owner: 200, other: "conversation.unknown" },
    sendNow: { path: `${secret}/queue/msg_any/send-now`, owner: 409, other: "conversation.unknown" },
    leaseQueued: {
      path: `${secret}/queue/msg_any/lease`,
      ask: json({ holder: "tab" }),
      owner: 409,
      other: "conversation.unknown",
    },
    releaseQueued: { path: `${secret}/queue/msg_any/lease`, owner: 409, other: "conversation.unknown" },
    holdQueue: { path: `${secret}/queue/hold`, owner: 200, other: "conversation.unknown" },
    resumeQueue: { path: `${secret}/queue/resume`, owner: 200, other: "conversation.unknown" },
    answerAsk: {
      path: `${secret}/asks/ask_any/answer`,
      ask: json({ answer: true }),
      owner: 404,
      other: "conversation.unknown",
    },
    // No ask is open there.
    answerOpenAsk: { path: `${secret}/answer`, ask: json({ answer: true }), owner: 409, other: "conversation.unknown" },
    uiSend: {
      path: "/v1/ui/host",
      ask: json({ id: "made", messages: [{ id: "m-1", role: "user", parts: [{ type: "text", text: "hi" }] }] }),
      owner: 200,
      other: 200,
    },
    uiResume: { path: `/v1/ui/host/${SECRET_BRANCH}/stream`, owner: 204, other: 204 },
    uiMessages: { path: `/v1/ui/host/${SECRET_BRANCH}/messages`, owner: 200, other: "conversation.unknown" },
    uiStop: { path: `/v1/ui/host/${SECRET_BRANCH}/stop`, owner: 204, other: "conversation.unknown" },
    mcp: {
      path: "/mcp",
      ask: {
        ...json({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      },
      owner: 200,
      other: 200,
    },
    openaiModels: { path: "/v1/models", owner: 200, other: 200 },
    openaiModel: { path: "/v1/models/host", owner: 200, other: 200 },
    openaiChat: {
      path: "/v1/chat/completions",
      ask: json({ model: "host/made", messages: [{ role: "user", content: "hi" }] }),
      owner: 200,
      other: 200,
    },
    openaiRespond: {
      path: "/v1/responses",
      ask: json({ model: "host", input: "hi", conversation: "made" }),
      owner: 200,
      other: 200,
    },
    // Anybody can forge an id, because it encodes where the response is; there is no such message.
    openaiResponse: { path: `/v1/responses/${MADE_UP_RESPONSE}`, owner: 404, other: 404 },
    openaiCancel: { path: `/v1/responses/${MADE_UP_RESPONSE}/cancel`, owner: 404, other: 404 },
    openaiDelete: { path: `/v1/responses/${MADE_UP_RESPONSE}`, owner: 404, other: 404 },
    agUiRun: {
      path: "/v1/ag-ui/host",
      ask: json({ threadId: "run", runId: "r-1", messages: [{ id: "m-1", role: "user", content: "hi" }] }),
      owner: 200,
      other: 200,
    },
    agUiConnect: { path: `/v1/ag-ui/host/${SECRET_BRANCH}/events`, owner: 200, other: "conversation.unknown" },
    agUiStop: { path: `/v1/ag-ui/host/${SECRET_BRANCH}/stop`, owner: 204, other: "conversation.unknown" },
    exportConversation: { path: `${secret}/export`, owner: 200, other: "conversation.unknown" },
    importConversation: {
      path: "/v1/import?agent=host&branch=imported",
      ask: { body: '{"role":"person","text":"hi"}', headers: { "content-type": "application/jsonl" } },
      owner: 201,
      other: 201,
    },
    listKeys: { path: "/v1/keys", owner: 200, other: 200 },
    makeKey: { path: "/v1/keys", ask: json({ name: "another" }), owner: 201, other: 201 },
    revokeKey: { path: `/v1/keys/${ownersKey}`, owner: 204, other: "key.unknown" },
    listGrants: { path: "/v1/grants", owner: 200, other: 200 },
    revokeGrant: { path: "/v1/grants/host.secret.any", owner: 404, other: "grant.unknown" },
    makeShare: { path: `${secret}/shares`, ask: json({ mode: "live" }), owner: 201, other: "conversation.unknown" },
    listShares: { path: "/v1/shares", owner: 200, other: 200 },
    // There is no such share: the one that is read has to stay.
    revokeShare: { path: "/v1/shares/shr_secret", owner: 404, other: "share.unknown" },
    listShared: { path: "/v1/shared", owner: 200, other: 200 },
    openShared: { path: `/v1/shared/${share}`, owner: 200, other: "share.unknown" },
    listSharedMessages: { path: `/v1/shared/${share}/messages`, owner: 200, other: "share.unknown" },
    followShared: { path: `/v1/shared/${share}/events`, owner: 200, other: "share.unknown" },
    readSharedAttachment: {
      path: `/v1/shared/${share}/messages/msg_any/attachments/${digest(SECRET)}`,
      owner: 404,
      other: "share.unknown",
    },
    listSharedFiles: { path: `/v1/shared/${share}/files`, owner: 200, other: "share.unknown" },
    readSharedFile: { path: `/v1/shared/${share}/files/canary.txt`, owner: 200, other: "share.unknown" },
    listLinks: { path: "/v1/links", owner: 200, other: 200 },
    // No person has that name; callers who may not act for others do not see that.
    deletePerson: { path: "/v1/people/nobody-at-all", owner: 404, other: 403 },
    readConfig: { path: "/v1/config", owner: 200, other: 200 },
    // Only the owner of the server may act for other names.
    exportPerson: { path: "/v1/people/me/export", owner: 200, other: 403 },
    listPeople: { path: "/v1/people", owner: 200, other: 403 },
    readSignIn: { path: "/v1/sign-in", owner: 200, other: 200 },
    readAccount: { path: "/v1/account", owner: 200, other: 200 },
    readUsage: { path: "/v1/usage", owner: 200, other: 200 },
    readUsageTotals: { path: "/v1/usage/totals", owner: 200, other: 403 },
    metrics: { path: "/metrics", owner: 200, other: 200 },
    // Only the owner of the server may act for other names.
    linkName: { path: "/v1/links", ask: json({ name: "lnk_new" }), owner: 200, other: 403 },
    // The owner linked it before the first request.
    unlinkName: { path: "/v1/links?name=lnk_secret", owner: 204, other: "link.unknown" },
    compact: { path: `${secret}/compact`, ask: json({ keepTurns: 9 }), owner: 202, other: "conversation.unknown" },
    listArchives: { path: `${secret}/archives`, owner: 200, other: "conversation.unknown" },
    openArchive: { path: `${secret}/archives/arc_any`, owner: 404, other: "conversation.unknown" },
    undoCompaction: { path: `${secret}/archives/arc_any/undo`, owner: 404, other: "conversation.unknown" },
    search: { path: "/v1/search?q=canary", owner: 200, other: 200 },
    listMcpServers: { path: "/v1/mcp", owner: 200, other: 200 },
    // There is no such server: callers who may manage see that.
    pinMcpTool: { path: "/v1/mcp/any/tools/any/pin", ask: json({ hash: "0".repeat(64) }), owner: 409, other: 409 },
    listMemories: { path: "/v1/memory?q=tea", owner: 200, other: 200 },
    writeMemory: {
      path: "/v1/memory/user/tea",
      ask: json({ description: "Likes tea", type: "user", body: "Green." }),
      owner: 200,
      other: 200,
    },
    // Only the owner has one of that name.
    readMemory: { path: "/v1/memory/user/secret", owner: 200, other: "memory.unknown" },
    deleteMemory: { path: "/v1/memory/user/secret", owner: 204, other: "memory.unknown" },
    attach: {
      path: "/v1/attachments?name=note.txt",
      ask: { body: "a note", headers: { "content-type": "text/plain" } },
      owner: 201,
      other: 201,
    },
    // The owner attached it before the first request.
    readAttachment: { path: `/v1/attachments/${digest(SECRET)}`, owner: 200, other: "attachment.unknown" },
    listAttachments: { path: "/v1/attachments", owner: 200, other: 200 },
    deleteAttachment: { path: `/v1/attachments/${digest(SECRET)}`, owner: 204, other: "attachment.unknown" },
    listBranches: { path: `${secret}/branches`, owner: 200, other: "conversation.unknown" },
    makeBranch: {
      path: `${secret}/branches`,
      ask: json({ name: "of-secret" }),
      owner: 201,
      other: "conversation.unknown",
    },
    // An ordinary conversation is not a sidecar, and a made-up message id cannot be rolled back to.
    keepSidecar: { path: `${secret}/keep`, owner: 409, other: "conversation.unknown" },
    mergeSidecar: { path: `${secret}/merge`, owner: 409, other: "conversation.unknown" },
    closeSidecar: { path: `${secret}/close`, owner: 409, other: "conversation.unknown" },
    previewRollback: { path: `${secret}/rollback/preview?to=msg_any`, owner: 404, other: "conversation.unknown" },
    rollBack: { path: `${secret}/rollback`, ask: json({ to: "msg_any" }), owner: 404, other: "conversation.unknown" },
    cancelRollback: { path: `${secret}/rollback/rbk_any/cancel`, owner: 404, other: "conversation.unknown" },
    listFiles: { path: `${secret}/files`, owner: 200, other: "conversation.unknown" },
    // The owner created it before the first request.
    readFile: { path: `${secret}/files/canary.txt`, owner: 200, other: "conversation.unknown" },
    writeFile: {
      path: `${secret}/files/notes/new.txt`,
      ask: { body: "a note", headers: { "content-type": "text/plain" } },
      owner: 200,
      other: "conversation.unknown",
    },
    removeFile: { path: `${secret}/files/canary.txt`, owner: 204, other: "conversation.unknown" },
    listChanges: { path: `${secret}/changes`, owner: 200, other: "conversation.unknown" },
    readOutput: { path: `${secret}/messages/msg_any/outputs/call_1`, owner: 404, other: "conversation.unknown" },
    inspectTurns: { path: `${secret}/inspect/turns`, owner: 200, other: "conversation.unknown" },
    inspectTurn: { path: `${secret}/inspect/turns/trn_any`, owner: 404, other: "conversation.unknown" },
    listSchedules: { path: "/v1/schedules", owner: 200, other: 200 },
    makeSchedule: {
      path: "/v1/schedules",
      ask: json({ agent: "host", when: { everyMs: 3_600_000 }, text: "Look." }),
      owner: 201,
      other: 201,
    },
    openSchedule: { path: `/v1/schedules/${schedule}`, owner: 200, other: "schedule.unknown" },
    changeSchedule: {
      path: `/v1/schedules/${schedule}`,
      ask: json({ paused: true }),
      owner: 200,
      other: "schedule.unknown",
    },
    fireSchedule: { path: `/v1/schedules/${schedule}/fire`, owner: 202, other: "schedule.unknown" },
    deleteSchedule: { path: `/v1/schedules/${schedule}`, owner: 204, other: "schedule.unknown" },
    listHooks: { path: "/v1/hooks", owner: 200, other: 200 },
    makeHook: { path: "/v1/hooks", ask: json({ agent: "host", template: "{{body}}" }), owner: 201, other: 201 },
    openHook: { path: `/v1/hooks/${hook}`, owner: 200, other: "hook.unknown" },
    changeHook: { path: `/v1/hooks/${hook}`, ask: json({ name: "CI" }), owner: 200, other: "hook.unknown" },
    rotateHook: { path: `/v1/hooks/${hook}/rotate`, owner: 200, other: "hook.unknown" },
    fireHook: { path: `/v1/hooks/${hook}/fire`, ask: json({ a: 1 }), owner: 202, other: "hook.unknown" },
    // No token grants access, not even the owner's: only the signature counts.
    deliverHook: { path: `/hooks/${hook}`, ask: { body: "hello" }, owner: 401, other: 401 },
    deleteHook: { path: `/v1/hooks/${hook}`, owner: 204, other: "hook.unknown" },
    listNotices: { path: "/v1/notices", owner: 200, other: 200 },
    makeNotice: { path: "/v1/notices", ask: json({ url: "https://example.com/n" }), owner: 201, other: 201 },
    openNotice: { path: `/v1/notices/${notice}`, owner: 200, other: "notice.unknown" },
    changeNotice: { path: `/v1/notices/${notice}`, ask: json({ name: "phone" }), owner: 200, other: "notice.unknown" },
    testNotice: { path: `/v1/notices/${notice}/test`, owner: 200, other: "notice.unknown" },
    deleteNotice: { path: `/v1/notices/${notice}`, owner: 204, other: "notice.unknown" },
    // Last, because it deletes the secret conversation.
    deleteConversation: { path: secret, owner: 204, other: "conversation.unknown" },
  }
}

/** The stream transports, as query strings. */
export const TRANSPORTS: Readonly<Record<string, { readonly query: string; readonly method?: "HEAD" }>> = {
  plain: { query: "?offset=-1" },
  state: { query: "?offset=-1&view=state" },
  "long-poll": { query: "?offset=-1&live=long-poll" },
  sse: { query: "?offset=-1&live=sse" },
  HEAD: { query: "", method: "HEAD" },
}
