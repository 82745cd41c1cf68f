/**
 * Method and path of every route that the SDK calls, without schemas: a page that uses the SDK loads neither the schemas
 * nor the routes of other protocols. The rights, request and response of a route are in `routes.ts`, under the same
 * name.
 *
 * `:name` is one path segment, `:name*` the rest of the path.
 */
const conversation = "/v1/conversations/:agent/:branch"

export const sdkEndpoints = {
  listAgents: "GET /v1/agents",
  readConfig: "GET /v1/config",
  listModels: "GET /v1/agents/:agent/models",
  readPreferences: "GET /v1/preferences",
  writePreferences: "PUT /v1/preferences",
  readPush: "GET /v1/push",
  subscribePush: "POST /v1/push",
  testPush: "POST /v1/push/:id/test",
  unsubscribePush: "DELETE /v1/push/:id",
  listProviders: "GET /v1/providers",
  connectProvider: "PUT /v1/providers/:provider",
  testProvider: "POST /v1/providers/:provider/test",
  disconnectProvider: "DELETE /v1/providers/:provider",
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
  rateMessage: `PUT ${conversation}/messages/:message/feedback`,
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
  readAccount: "GET /v1/account",
  listKeys: "GET /v1/keys",
  makeKey: "POST /v1/keys",
  revokeKey: "DELETE /v1/keys/:key",

  listGrants: "GET /v1/grants",
  revokeGrant: "DELETE /v1/grants/:grant",

  makeShare: `POST ${conversation}/shares`,
  listShares: "GET /v1/shares",
  revokeShare: "DELETE /v1/shares/:share",
  listShared: "GET /v1/shared",
  openShared: "GET /v1/shared/:share",
  listSharedMessages: "GET /v1/shared/:share/messages",
  followShared: "GET /v1/shared/:share/events",
  readSharedAttachment: "GET /v1/shared/:share/messages/:message/attachments/:hash",
  listSharedFiles: "GET /v1/shared/:share/files",
  readSharedFile: "GET /v1/shared/:share/files/:path*",

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
  readUsageTotals: "GET /v1/usage/totals",
  listPeople: "GET /v1/people",
  exportPerson: "GET /v1/people/:person/export",
  deletePerson: "DELETE /v1/people/:person",
} as const

export type SdkRouteName = keyof typeof sdkEndpoints
export type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE"

export function sdkEndpointOf(name: SdkRouteName): { readonly method: Method; readonly path: string } {
  const [method, path] = sdkEndpoints[name].split(" ")
  return { method: method as Method, path: path as string }
}
