/** A usual request of each operation that has a JSON body. */
import type { BodyInputOf, RouteName } from "@parlor/protocol"

export const examples: { readonly [N in RouteName]?: BodyInputOf<N> } = {
  markConversation: { title: "Garden", pinned: true },
  send: { text: "What is in the garden?" },
  stop: { onQueue: "hold" },
  editQueued: { text: "What is in the shed?", version: 1 },
  leaseQueued: { holder: "laptop" },
  answerAsk: { answer: true },
  answerOpenAsk: { answer: "Tulips" },
  setModel: { model: "anthropic/claude-haiku-5.5", reasoning: "low" },
  mcp: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  makeKey: { name: "Telegram bot", scopes: ["read", "write"], actFor: "telegram:*" },
  linkName: { name: "telegram:42" },
  makeBranch: { name: "another-idea" },
  rollBack: { to: "msg_01h8x2k3v9q4w5e6r7t8", scope: "both" },
  compact: { keepTurns: 2 },
  writeMemory: { description: "Likes tulips", type: "user", body: "Red ones most of all." },
  makeSchedule: { agent: "host", text: "What is new?", when: { cron: "0 8 * * 1-5", timeZone: "Europe/Berlin" } },
  changeSchedule: { paused: true },
  makeHook: { agent: "host", template: "A build ended: {{body.status}}", style: "github" },
  changeHook: { paused: true },
  makeNotice: { url: "https://example.com/parlor", events: ["turn.finished"] },
  changeNotice: { paused: true },
  pinMcpTool: { hash: "0".repeat(64) },
  openaiChat: { model: "host", messages: [{ role: "user", content: "What is in the garden?" }] },
  openaiRespond: { model: "host", input: "What is in the garden?", conversation: "garden" },
  agUiRun: {
    threadId: "garden",
    runId: "run-1",
    messages: [{ id: "m-1", role: "user", content: "What is in the garden?" }],
  },
  uiSend: {
    id: "main",
    messages: [{ id: "m-1", role: "user", parts: [{ type: "text", text: "What is in the garden?" }] }],
  },
}
