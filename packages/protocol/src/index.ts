export { type ChangeEvent, changeEvent, type NewChange, type Operation, type StoredChange } from "./change.ts"
export { changeOf, encodeChanges, readChanges } from "./change-text.ts"
export { type Collection, collections, type RowOf } from "./collections.ts"
export {
  type ArgumentDefinition,
  type ArgumentsOf,
  type ArgumentValue,
  argumentProblem,
  argumentSign,
  type ReadArgument,
  readArguments,
} from "./composer/arguments.ts"
export {
  type AttachmentNode,
  type BranchNode,
  type ComposerInput,
  type ComposerNode,
  type FileNode,
  type LineRange,
  lineRange,
  type MentionNode,
  type NodeKind,
  type NodeOf,
  nodesOf,
  type OtherNode,
  type SlashCommandNode,
  type SymbolNode,
  slashCommands,
  type TextNode,
  textAfter,
} from "./composer/node.ts"
export { type ParseOptions, parseComposer } from "./composer/parse.ts"
export { type Chip, printComposer } from "./composer/print.ts"
export { type SpanDefect, spanDefect } from "./composer/spans.ts"
export { bestMatches, OBJECT, type TypedSign, triggerIn } from "./composer/suggest.ts"
export { COMPOSER_INPUT, MAIN_BRANCH, SIDECAR_ANSWER, SPAWN, STATUS_KEY, SYSTEM_TYPES } from "./constants.ts"
export { controlCollections } from "./control-collections.ts"
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
export { type EndpointOf, endpointOf, endpoints, type RouteName } from "./endpoints.ts"
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
export { type Address, agentName, branchName, feedKey, messageType, personName } from "./names.ts"
export { countsAsNeeding, needsYou } from "./needs-you.ts"
export { fitsOffset, formatOffset, NOW_OFFSET, parseOffset, SNAPSHOT_TXID, START_OFFSET } from "./offset.ts"
export { type MarkedText, plainSnippet, plainWords } from "./plain-words.ts"
export type { PushNote } from "./push-note.ts"
export { inQueueOrder, queuePlace } from "./queue-order.ts"
export {
  type AgentView,
  type ConversationPage,
  type EditBody,
  type KeyView,
  keyView,
  type Marks,
  type MessagePage,
  problem,
  type QueuePage,
  type Reply,
  type Scope,
  type SendBody,
  type Sent,
  type Snapshot,
  sendBody,
  snapshot,
} from "./requests.ts"
export type { AccountView } from "./routes/account.ts"
export type { AgUiInput, AgUiInputMessage } from "./routes/ag-ui.ts"
export type { AttachmentView, ListedAttachment } from "./routes/attachments.ts"
export type { BranchView } from "./routes/branch.ts"
export type { ArchivePage } from "./routes/compaction.ts"
export type { ConfigProblem, ConfigView } from "./routes/config.ts"
export type { FileChange, FileListing } from "./routes/files.ts"
export type { FiringFate, FiringOutcome, FiringView } from "./routes/firing.ts"
export { type Delivered, type HookChange, type HookStyle, type HookView, hookBody } from "./routes/hook.ts"
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
export type { LinkView } from "./routes/links.ts"
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
export { type ModelPrice, type ModelView, type ModeView, modelPrice } from "./routes/models.ts"
export { type NoticeChange, type NoticeEvent, type NoticeView, noticeBody } from "./routes/notice.ts"
export type { OpenaiChatRequest, OpenaiItem, OpenaiMessage, OpenaiResponseRequest } from "./routes/openai.ts"
export type { PersonView } from "./routes/people.ts"
export type { Preferences, PreferencesView } from "./routes/preferences.ts"
export type {
  ProviderBody,
  ProviderName,
  ProvidersView,
  ProviderView,
  TestedProvider,
} from "./routes/providers.ts"
export type { PushBody, PushView } from "./routes/push.ts"
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
export type { SharedConversation, SharedPage, SharedView, ShareView } from "./routes/share.ts"
export type { SignInView } from "./routes/sign-in.ts"
export type { UiRequest, UiRequestMessage } from "./routes/ui.ts"
export type { UsageGroup, UsageLine, UsageSource, UsageTotal, UsageView } from "./routes/usage.ts"
export {
  type AnswerOf,
  type BodyInputOf,
  type BodyOf,
  type Needs,
  type ParamsInputOf,
  type ParamsOf,
  type QueryInputOf,
  type QueryOf,
  type Route,
  routes,
} from "./routes.ts"
export type { ArchiveRow } from "./rows/archive.ts"
export type { AskRow } from "./rows/ask.ts"
export { addedFields, blankMessage, blankStatus, emptyUsage, newMessage } from "./rows/blank-rows.ts"
export type { BranchRow, FeedNews, FeedRow } from "./rows/feed.ts"
export { type AttachmentPart, isUnattended, type ProblemNote, type Trigger } from "./rows/fields.ts"
export type { ChangeRow, FileRow } from "./rows/file.ts"
export type { GrantRow } from "./rows/grant.ts"
export {
  composerInput,
  type DeltaRow,
  type InboxMessage,
  type MessageRow,
  type Part,
  type ReturnedBlock,
  type TextPart,
  type ToolPart,
} from "./rows/message.ts"
export { type ModelSettings, modelSettings, type ReasoningEffort, reasoningEffort } from "./rows/model-settings.ts"
export { completeRow, parseRow, parseRows, wholeRow } from "./rows/parse-row.ts"
export type { QueueRow, SendMode } from "./rows/queue.ts"
export type { RestoredFile, RollbackRow } from "./rows/rollback.ts"
export type { SlashCommandRow } from "./rows/slash-command.ts"
export type { Again, Origin, StatusRow } from "./rows/status.ts"
export { storedRow } from "./rows/stored-row.ts"
export type { StepNote, TurnRow, TurnState } from "./rows/turn.ts"
export { addUsage, cacheWrites, type TokenCounts, type Usage } from "./rows/usage.ts"
export { type Method, type SdkRouteName, sdkEndpointOf } from "./sdk-endpoints.ts"
export { parseShareLink, SHARE_SECRET, type ShareLink, shareLinkPath } from "./share-link.ts"
export { sizeWords } from "./size-words.ts"
export { type Recurrence, recurrenceOf, spokenFiring, spokenTime, spokenWhen } from "./spoken-when.ts"
export { textDefect, wellFormedText } from "./text.ts"
export type { EndedState, TextEvent, TextKind, ToolEvent, TurnEvent, TurnEventBody } from "./turn-events/turn-event.ts"
export {
  newTurnReading,
  passChange,
  readTurnEvents,
  type TurnReading,
  turnEventsAfter,
} from "./turn-events/turn-reading.ts"
