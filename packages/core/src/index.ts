export type { Agent, Retention } from "./agent/agent.ts"
export type { ConversationAccess, TranscriptMessage } from "./agent/conversation-access.ts"
export type { Handler, HandlerContext, NewContext, Ran } from "./agent/handler.ts"
export { hostedModel } from "./agent/hosted-model.ts"
export type { MemoryAccess } from "./agent/memory-access.ts"
export type { AgentMessage, MessagesAccess, Observed, SentToAgent } from "./agent/messages-access.ts"
export type { ReplyInput, ReplyOptions, ReplyPart, ReplyStream } from "./agent/reply-stream.ts"
export { defaultRunSettings, type RunSettings } from "./agent/run-settings.ts"
export type { Skill } from "./agent/skill.ts"
export type { CommandCall, InvokedCommand, SlashCommandDefinition, SlashCommands } from "./agent/slash-command.ts"
export { type Spawned, spawnMessage } from "./agent/spawn.ts"
export { defineTool, type Question, type Tool, type ToolContext, type ToolProgress } from "./agent/tool.ts"
export type { OutsideCommand, Toolsets } from "./agent/toolsets.ts"
export {
  commandIn,
  commandsIn,
  composerInputOf,
  type HandlerWake,
  type InboxSchemas,
  type InboxWake,
  type ObservationWake,
  type ScheduleWake,
  type SpawnWake,
  type WebhookWake,
} from "./agent/wake.ts"
export type { Wakeup, WakeupAccess, WakeupRequest, WakeupWhen } from "./agent/wakeup-access.ts"
export type { FileContent, FileView, SearchResult, TextEdit, WorkspaceAccess } from "./agent/workspace-access.ts"
export type { Held } from "./command/change-queue.ts"
export { SUMMARY_INSTRUCTIONS } from "./compaction/summarize.ts"
export { withoutBlocks } from "./composer/block.ts"
export { callName } from "./context/call-id.ts"
export { CARRY_ON, GO_ON } from "./context/context.ts"
export { withoutFrames } from "./guest/tag.ts"
export { Hub } from "./log/hub.ts"
export { restoredChange } from "./log/row-change.ts"
export { type Publish, Writer, type WriterOptions } from "./log/writer.ts"
export { type AskToChange, memoryAccess } from "./memory/access.ts"
export { BY_PERSON, type MemoryHome, type MemoryOrigin, type MemoryRef } from "./memory/memory.ts"
export { withoutNotes } from "./memory/notes.ts"
export { memorySkill } from "./memory/skill.ts"
export { memoryTools } from "./memory/tools.ts"
export { defaultSettings, type Settings } from "./node.ts"
export type { Attachment, AttachmentPlace, Blobs } from "./ports/blobs.ts"
export type { Clock } from "./ports/clock.ts"
export type { Courier, Delivery, Parcel } from "./ports/courier.ts"
export type { Deletion, Deletions } from "./ports/deletions.ts"
export type { DiskContent, DiskFile, Files, Folder } from "./ports/files.ts"
export {
  type Harness,
  type HarnessAsk,
  type HarnessCall,
  type HarnessChoice,
  type HarnessCommand,
  type HarnessEvent,
  HarnessFault,
  type HarnessOffers,
  type HarnessPrompt,
  type HarnessUsage,
} from "./ports/harness.ts"
export type { Ids } from "./ports/ids.ts"
export type { Json } from "./ports/json.ts"
export type { Keys } from "./ports/keys.ts"
export type { Belongings, Linked, LinkRecord, Links, LinksOf } from "./ports/links.ts"
export { type Log, type LogFields, reasonFields, silentLog } from "./ports/log.ts"
export type { Memories, Memory, MemoryLine, MemoryScope } from "./ports/memories.ts"
export {
  type CallSettings,
  type FaultKind,
  type FinishReason,
  type Model,
  type ModelAgentPart,
  type ModelAttachment,
  type ModelEvent,
  ModelFault,
  type ModelMessage,
  type ModelOffer,
  type ModelRequest,
  type ModelToolResult,
  type ToolSpec,
} from "./ports/model.ts"
export type { PersonPreferences, PreferenceRecord } from "./ports/preferences.ts"
export {
  type ModelProviders,
  PROVIDERS_CHANGED,
  type ProviderAccount,
  type ProviderCandidate,
  type ProviderCheck,
  type ProviderOutline,
  type ProviderRecord,
  type Providers,
} from "./ports/providers.ts"
export type {
  Push,
  Pushed,
  Pushes,
  PushKeys,
  PushKeysRecord,
  PushRecord,
  PushSender,
  PushTarget,
} from "./ports/pushes.ts"
export type { Random } from "./ports/random.ts"
export type { Sandbox, SandboxCommand, SandboxEnd, SandboxLimits, SandboxResult } from "./ports/sandbox.ts"
export type { Seal, SecretKeys } from "./ports/seal.ts"
export type { Search, SearchHit } from "./ports/search.ts"
export type { ShareBounds, ShareRecord, Shares } from "./ports/shares.ts"
export type { Spool } from "./ports/spool.ts"
export type {
  Adoption,
  Append,
  Appended,
  AuditEntry,
  Claim,
  EventLog,
  EventPage,
  KeyRecord,
  RowChange,
  RowQuery,
  RowsRead,
  Store,
  StoredRow,
  StoreParts,
  Stream,
  StreamKey,
  Trimmed,
} from "./ports/store.ts"
export type { FiringKind, FiringRecord, TriggerKind, TriggerRecord, Triggers } from "./ports/triggers.ts"
export {
  type DayTotal,
  EVENT_BYTES,
  emptyDay,
  ONCE_KEPT_MS,
  type Spending,
  type Stored,
  type StoredPerson,
  type TotalsQuery,
  type UsageCounts,
} from "./ports/usage.ts"
export { openAccounts } from "./provider/accounts.ts"
export { defaultQuotaSettings, type QuotaSettings } from "./quota/quota.ts"
export { perMinute, type Rate, Rates, tooMany } from "./rate/rates.ts"
export { SharedRates } from "./rate/shared-rates.ts"
export { createRuntime, type Runtime, type RuntimeParts } from "./runtime.ts"
export { defaultTriggerSettings, type TriggerSettings, type WakeupSettings } from "./schedule/settings.ts"
export { type IndexedText, indexedText, parseQuery, type QueryWord, queryWords } from "./search/words.ts"
export { checkShare, type ShareReader, unknownShare } from "./share/open-share.ts"
export { FrontMatterError, parseFrontMatter } from "./skill/front-matter.ts"
export { type SkillsOptions, skillsLoader } from "./skill/loader.ts"
export { parseSkill } from "./skill/skill.ts"
export { agentView } from "./slash-command/agent-view.ts"
export { baseCommands, commandRow, OUTSIDE_OWNER } from "./slash-command/command.ts"
export { TITLE_INSTRUCTIONS } from "./title/title.ts"
export type { DeclaredTriggers } from "./trigger/declared-triggers.ts"
export { type Hook, hookView } from "./trigger/hook.ts"
export type { Delivery as HookDelivery } from "./trigger/template.ts"
export { callRates, defaultUsageSettings, type UsageSettings } from "./usage/settings.ts"
export type { ShownChange } from "./workspace/changes.ts"
export type { EarlierFile } from "./workspace/people.ts"
