/**
 * What each route answers to its owner and to somebody else who is signed in (SEC-1).
 *
 * The owner's conversation `host/secret` exists; nobody else has one of that name. A route without a cell here fails the
 * matrix.
 */
import type { RouteName } from "@parlor/protocol"
import { type Ask, digest } from "./client.ts"

export const SECRET = "canary-only-the-owner-may-read-this"
export const SECRET_BRANCH = "secret"

export type Cell = {
  /** Path and query, without the stream's transport. */
  readonly path: string
  readonly ask?: Ask
  /** Its answer to the owner. */
  readonly owner: number
  /** Its answer to another person: their own things, or the code of what is not there for them. */
  readonly other: number | "conversation.unknown" | "key.unknown" | "memory.unknown" | "attachment.unknown"
}

const secret = `/v1/conversations/host/${SECRET_BRANCH}`
const json = (body: unknown): Ask => ({ body: JSON.stringify(body) })

export function cells(ownersKey: string): Readonly<Record<RouteName, Cell>> {
  return {
    health: { path: "/healthz", owner: 200, other: 200 },
    describe: { path: "/openapi.json", owner: 200, other: 200 },
    listAgents: { path: "/v1/agents", owner: 200, other: 200 },
    listConversations: { path: "/v1/conversations", owner: 200, other: 200 },
    followFeed: { path: "/v1/feed", owner: 200, other: 200 },
    openConversation: { path: secret, owner: 200, other: "conversation.unknown" },
    makeConversation: { path: `/v1/conversations/host/made`, owner: 200, other: 200 },
    markConversation: { path: secret, ask: json({ pinned: true }), owner: 200, other: "conversation.unknown" },
    send: { path: `${secret}/messages`, ask: json({ text: "hi" }), owner: 202, other: "conversation.unknown" },
    listMessages: { path: `${secret}/messages`, owner: 200, other: "conversation.unknown" },
    followConversation: { path: `${secret}/events`, owner: 200, other: "conversation.unknown" },
    stop: { path: `${secret}/stop`, ask: json({}), owner: 200, other: "conversation.unknown" },
    // Nothing waits there: the owner learns that, another person not even that there is a conversation.
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
    compact: { path: `${secret}/compact`, ask: json({ keepTurns: 9 }), owner: 202, other: "conversation.unknown" },
    listArchives: { path: `${secret}/archives`, owner: 200, other: "conversation.unknown" },
    openArchive: { path: `${secret}/archives/arc_any`, owner: 404, other: "conversation.unknown" },
    undoCompaction: { path: `${secret}/archives/arc_any/undo`, owner: 404, other: "conversation.unknown" },
    search: { path: "/v1/search?q=canary", owner: 200, other: 200 },
    listMcpServers: { path: "/v1/mcp", owner: 200, other: 200 },
    listMemories: { path: "/v1/memory?q=tea", owner: 200, other: 200 },
    writeMemory: {
      path: "/v1/memory/user/tea",
      ask: json({ description: "Likes tea", type: "user", body: "Green." }),
      owner: 200,
      other: 200,
    },
    // The owner's alone: another person has none of that name.
    readMemory: { path: "/v1/memory/user/secret", owner: 200, other: "memory.unknown" },
    deleteMemory: { path: "/v1/memory/user/secret", owner: 204, other: "memory.unknown" },
    attach: {
      path: "/v1/attachments?name=note.txt",
      ask: { body: "a note", headers: { "content-type": "text/plain" } },
      owner: 201,
      other: 201,
    },
    // The owner attached it before anybody asks.
    readAttachment: { path: `/v1/attachments/${digest(SECRET)}`, owner: 200, other: "attachment.unknown" },
    listBranches: { path: `${secret}/branches`, owner: 200, other: "conversation.unknown" },
    makeBranch: {
      path: `${secret}/branches`,
      ask: json({ name: "of-secret" }),
      owner: 201,
      other: "conversation.unknown",
    },
    // An ordinary conversation is no sidecar; what was said in it cannot be rolled back to by a made-up id.
    keepSidecar: { path: `${secret}/keep`, owner: 409, other: "conversation.unknown" },
    mergeSidecar: { path: `${secret}/merge`, owner: 409, other: "conversation.unknown" },
    closeSidecar: { path: `${secret}/close`, owner: 409, other: "conversation.unknown" },
    previewRollback: { path: `${secret}/rollback/preview?to=msg_any`, owner: 404, other: "conversation.unknown" },
    rollBack: { path: `${secret}/rollback`, ask: json({ to: "msg_any" }), owner: 404, other: "conversation.unknown" },
    cancelRollback: { path: `${secret}/rollback/rbk_any/cancel`, owner: 404, other: "conversation.unknown" },
    listFiles: { path: `${secret}/files`, owner: 200, other: "conversation.unknown" },
    // The owner put it there before anybody asks.
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
    // Last: it takes the secret conversation away.
    deleteConversation: { path: secret, owner: 204, other: "conversation.unknown" },
  }
}

/** The ways to read a stream, by what they add to its address. */
export const TRANSPORTS: Readonly<Record<string, { readonly query: string; readonly method?: "HEAD" }>> = {
  plain: { query: "?offset=-1" },
  state: { query: "?offset=-1&view=state" },
  "long-poll": { query: "?offset=-1&live=long-poll" },
  sse: { query: "?offset=-1&live=sse" },
  HEAD: { query: "", method: "HEAD" },
}
