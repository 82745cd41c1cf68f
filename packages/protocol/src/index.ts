export {
  type ChangeEvent,
  changeEvent,
  encodeChange,
  type NewChange,
  type Operation,
  type StoredChange,
} from "./change.ts"
export { type Collection, collections, controlCollections, type RowOf } from "./collections.ts"
export { COMPOSER_INPUT, MAIN_BRANCH, STATUS_KEY } from "./constants.ts"
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
  addUsage,
  type BranchRow,
  type ChangeRow,
  type CommandRow,
  type ComposerInput,
  type DeltaRow,
  emptyUsage,
  type FeedRow,
  type FileRow,
  type InboxMessage,
  type MessageRow,
  type Origin,
  type Part,
  type ProblemNote,
  type QueueRow,
  type RollbackRow,
  type SendMode,
  type StatusRow,
  type TextPart,
  type TokenCounts,
  type ToolPart,
  type Trigger,
  type TurnRow,
  type TurnState,
  type Usage,
} from "./rows.ts"
export { textDefect, wellFormedText } from "./text.ts"
