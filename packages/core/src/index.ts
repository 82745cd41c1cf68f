export { type Agent, agentView, defineTool, type Question, type Tool, type ToolContext } from "./agent/agent.ts"
export { CARRY_ON } from "./context/context.ts"
export { Hub } from "./log/hub.ts"
export { type Publish, Writer, type WriterParts } from "./log/writer.ts"
export { defaultSettings, type Settings } from "./node.ts"
export type { Clock } from "./ports/clock.ts"
export type { Ids } from "./ports/ids.ts"
export { type Log, type LogFields, silentLog } from "./ports/log.ts"
export {
  type FinishReason,
  type Json,
  type Model,
  type ModelAgentPart,
  type ModelEvent,
  ModelFault,
  type ModelMessage,
  type ModelRequest,
  type ModelToolResult,
  type ToolSpec,
} from "./ports/model.ts"
export type { Random } from "./ports/random.ts"
export type { Spool } from "./ports/spool.ts"
export type {
  Append,
  Appended,
  AuditEntry,
  Claim,
  EventPage,
  KeyRecord,
  RowChange,
  RowQuery,
  RowsRead,
  Store,
  StoredRow,
  Stream,
  StreamKey,
} from "./ports/store.ts"
export type { Held } from "./queue/change.ts"
export { createRuntime, type Runtime, type RuntimeParts } from "./runtime.ts"
