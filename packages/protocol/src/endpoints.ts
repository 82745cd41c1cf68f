/**
 * Method and path of every route, without schemas: the SDK builds its requests from this table, and a page that uses
 * the SDK does not load the schemas. The rights, request and response of a route are in `routes.ts`, under the same
 * name.
 *
 * `:name` is one path segment, `:name*` the rest of the path.
 */
const conversation = "/v1/conversations/:agent/:branch"

export const endpoints = {
  live: "GET /livez",
  ready: "GET /readyz",
  health: "GET /healthz",
  describe: "GET /openapi.json",
  version: "GET /v1/version",
  listAgents: "GET /v1/agents",
  listModels: "GET /v1/agents/:agent/models",
  listConversations: "GET /v1/conversations",
  followFeed: "GET /v1/feed",
  openConversation: `GET ${conversation}`,
  makeConversation: `PUT ${conversation}`,
  markConversation: `PATCH ${conversation}`,
  deleteConversation: `DELETE ${conversation}`,
  setModel: `PUT ${conversation}/settings`,
  send: `POST ${conversation}/messages`,
  listMessages: `GET ${conversation}/messages`,
  followConversation: `GET ${conversation}/events`,
  stop: `POST ${conversation}/stop`,
  listQueue: `GET ${conversation}/queue`,
  editQueued: `PATCH ${conversation}/queue/:message`,
  removeQueued: `DELETE ${conversation}/queue/:message`,
  clearQueue: `DELETE ${conversation}/queue`,
  sendNow: `POST ${conversation}/queue/:message/send-now`,
  leaseQueued: `PUT ${conversation}/queue/:message/lease`,
  releaseQueued: `DELETE ${conversation}/queue/:message/lease`,
  holdQueue: `POST ${conversation}/queue/hold`,
  resumeQueue: `POST ${conversation}/queue/resume`,
  answerAsk: `POST ${conversation}/asks/:ask/answer`,
  answerOpenAsk: `POST ${conversation}/answer`,
  exportConversation: `GET ${conversation}/export`,
  importConversation: "POST /v1/import",
  listKeys: "GET /v1/keys",
  makeKey: "POST /v1/keys",
  revokeKey: "DELETE /v1/keys/:key",

  listLinks: "GET /v1/links",
  linkName: "POST /v1/links",
  unlinkName: "DELETE /v1/links",

  listBranches: `GET ${conversation}/branches`,
  makeBranch: `POST ${conversation}/branches`,
  keepSidecar: `POST ${conversation}/keep`,
  mergeSidecar: `POST ${conversation}/merge`,
  closeSidecar: `POST ${conversation}/close`,

  previewRollback: `GET ${conversation}/rollback/preview`,
  rollBack: `POST ${conversation}/rollback`,
  cancelRollback: `POST ${conversation}/rollback/:rollback/cancel`,

  search: "GET /v1/search",

  compact: `POST ${conversation}/compact`,
  listArchives: `GET ${conversation}/archives`,
  openArchive: `GET ${conversation}/archives/:archive`,
  undoCompaction: `POST ${conversation}/archives/:archive/undo`,

  listMemories: "GET /v1/memory",
  readMemory: "GET /v1/memory/:scope/:name",
  writeMemory: "PUT /v1/memory/:scope/:name",
  deleteMemory: "DELETE /v1/memory/:scope/:name",

  listFiles: `GET ${conversation}/files`,
  readFile: `GET ${conversation}/files/:path*`,
  writeFile: `PUT ${conversation}/files/:path*`,
  removeFile: `DELETE ${conversation}/files/:path*`,
  listChanges: `GET ${conversation}/changes`,
  readOutput: `GET ${conversation}/messages/:message/outputs/:call`,

  attach: "POST /v1/attachments",
  readAttachment: "GET /v1/attachments/:hash",
  listAttachments: "GET /v1/attachments",
  deleteAttachment: "DELETE /v1/attachments/:hash",

  listSchedules: "GET /v1/schedules",
  makeSchedule: "POST /v1/schedules",
  openSchedule: "GET /v1/schedules/:id",
  changeSchedule: "PATCH /v1/schedules/:id",
  deleteSchedule: "DELETE /v1/schedules/:id",
  fireSchedule: "POST /v1/schedules/:id/fire",

  listHooks: "GET /v1/hooks",
  makeHook: "POST /v1/hooks",
  openHook: "GET /v1/hooks/:id",
  changeHook: "PATCH /v1/hooks/:id",
  deleteHook: "DELETE /v1/hooks/:id",
  rotateHook: "POST /v1/hooks/:id/rotate",
  fireHook: "POST /v1/hooks/:id/fire",
  deliverHook: "POST /hooks/:id",

  listNotices: "GET /v1/notices",
  makeNotice: "POST /v1/notices",
  openNotice: "GET /v1/notices/:id",
  changeNotice: "PATCH /v1/notices/:id",
  deleteNotice: "DELETE /v1/notices/:id",
  testNotice: "POST /v1/notices/:id/test",

  listMcpServers: "GET /v1/mcp",
  pinMcpTool: "PUT /v1/mcp/:server/tools/:tool/pin",

  inspectTurns: `GET ${conversation}/inspect/turns`,
  inspectTurn: `GET ${conversation}/inspect/turns/:turn`,

  readUsage: "GET /v1/usage",
  deletePerson: "DELETE /v1/people/:person",

  uiSend: "POST /v1/ui/:agent",
  uiResume: "GET /v1/ui/:agent/:branch/stream",
  uiMessages: "GET /v1/ui/:agent/:branch/messages",
  uiStop: "POST /v1/ui/:agent/:branch/stop",

  mcp: "POST /mcp",
  openaiModels: "GET /v1/models",
  openaiModel: "GET /v1/models/:model",
  openaiChat: "POST /v1/chat/completions",
  openaiRespond: "POST /v1/responses",
  openaiResponse: "GET /v1/responses/:id",
  openaiCancel: "POST /v1/responses/:id/cancel",
  openaiDelete: "DELETE /v1/responses/:id",
  agUiRun: "POST /v1/ag-ui/:agent",
  agUiConnect: "GET /v1/ag-ui/:agent/:branch/events",
  agUiStop: "POST /v1/ag-ui/:agent/:branch/stop",
} as const

export type RouteName = keyof typeof endpoints
export type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE"

type Split<E> = E extends `${infer M extends Method} ${infer P}` ? { readonly method: M; readonly path: P } : never
export type EndpointOf<N extends RouteName> = Split<(typeof endpoints)[N]>

export function endpointOf<N extends RouteName>(name: N): EndpointOf<N> {
  const [method, path] = endpoints[name].split(" ")
  return { method, path } as EndpointOf<N>
}
