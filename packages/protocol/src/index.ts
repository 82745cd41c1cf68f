export {
  type ChangeEvent,
  changeEvent,
  encodeChange,
  type NewChange,
  type Operation,
  type StoredChange,
} from "./change.ts"
export { type Collection, collections, controlCollections, type RowOf } from "./collections.ts"
export {
  type AttachmentNode,
  type ComposerInput,
  type ComposerNode,
  type FileNode,
  type LineRange,
  lineRange,
  type NamedNode,
  type NodeKind,
  slashCommands,
  textAfter,
} from "./composer/node.ts"
export { type ParseOptions, parseComposer } from "./composer/parse.ts"
export { type Chip, printComposer } from "./composer/print.ts"
export { type SpanDefect, spanDefect } from "./composer/spans.ts"
export { COMPOSER_INPUT, MAIN_BRANCH, STATUS_KEY } from "./constants.ts"
export {
  dimmedRanges,
  isArchiveDimmed,
  isDimmed,
  isInForce,
  isWithin,
  joined,
  newestRollback,
  type OrdRange,
  visibleCount,
  visibleFrom,
} from "./dimming.ts"
export {
  assert,
  Bug,
  type ErrorCode,
  errorTable,
  Fault,
  type Problem,
  Refusal,
  type RefusalCode,
  toProblem,
  unreachable,
} from "./errors.ts"
export { deltaKey, emptyRows, endsStreaming, fold, type Rows, withDeltas } from "./fold.ts"
export type { AskId, KeyId, MessageId, Millis, StreamId, TurnId, TxId } from "./ids.ts"
export { limits } from "./limits.ts"
export { type Address, agentName, branchName, feedKey, personName } from "./names.ts"
export { formatOffset, NOW_OFFSET, parseOffset, START_OFFSET } from "./offset.ts"
export {
  type AgentView,
  type ConversationPage,
  type EditBody,
  type KeyView,
  keyView,
  type Marks,
  type MessagePage,
  problem,
  type Scope,
  type SendBody,
  type Sent,
  type Snapshot,
  sendBody,
  snapshot,
} from "./requests.ts"
export type { AttachmentView } from "./routes/attachments.ts"
export type { BranchView } from "./routes/branch.ts"
export type { FileChange, FileListing } from "./routes/files.ts"
export type { FiringFate, FiringOutcome, FiringView } from "./routes/firing.ts"
export type { Delivered, HookChange, HookStyle, HookView } from "./routes/hook.ts"
export type {
  InspectedAttempt,
  InspectedChange,
  InspectedMessage,
  InspectedPrompt,
  InspectedRequest,
  InspectedStep,
  InspectedTool,
  InspectedTurn,
  InspectedWait,
  TurnGlance,
  TurnPage,
} from "./routes/inspector.ts"
export { type McpServerView, mcpServerView } from "./routes/mcp.ts"
export {
  type Memory,
  type MemoryEntry,
  type MemoryLine,
  type MemoryScope,
  memoryEntry,
  memoryName,
  memoryScope,
  memoryText,
  utf8Bytes,
} from "./routes/memory.ts"
export type { NoticeChange, NoticeEvent, NoticeView } from "./routes/notice.ts"
export type { RollbackPreview } from "./routes/rollback.ts"
export {
  type MissedRule,
  missedRule,
  type ScheduleChange,
  type ScheduleView,
  scheduleBody,
  timeZone,
  type When,
  when,
} from "./routes/schedule.ts"
export type { SearchHitView } from "./routes/search.ts"
export {
  type AnswerOf,
  type BodyInputOf,
  type BodyOf,
  type Method,
  type Needs,
  type ParamsOf,
  type QueryOf,
  type Route,
  type RouteName,
  routes,
} from "./routes.ts"
export {
  type ArchiveRow,
  type AskRow,
  type AttachmentPart,
  addUsage,
  type BranchRow,
  type ChangeRow,
  type CommandRow,
  composerInput,
  type DeltaRow,
  emptyUsage,
  type FeedNews,
  type FeedRow,
  type FileRow,
  type InboxMessage,
  type MessageRow,
  type Origin,
  type Part,
  type ProblemNote,
  type QueueRow,
  type RestoredFile,
  type RollbackRow,
  type SendMode,
  type StatusRow,
  type StepNote,
  type TextPart,
  type TokenCounts,
  type ToolPart,
  type Trigger,
  type TurnRow,
  type TurnState,
  type Usage,
} from "./rows.ts"
export { textDefect, wellFormedText } from "./text.ts"
