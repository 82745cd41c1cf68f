/** Rows, nodes and bodies, so that a client needs no other package for its types. Functions on them: `composer.ts`. */
export {
  type AgentView,
  type ArchiveRow,
  type AskRow,
  type AttachmentNode,
  type AttachmentPart,
  type BranchNode,
  type BranchRow,
  type ChangeEvent,
  type ChangeRow,
  type Chip,
  COMPOSER_INPUT,
  type Collection,
  type ComposerInput,
  type ComposerInput as ComposerInputPayload,
  type ComposerNode,
  type DeltaRow,
  type FeedRow,
  type FileNode,
  type FileRow,
  type MentionNode,
  type MessageRow,
  type NodeKind,
  type NodeOf,
  type OtherNode,
  type Part,
  type QueueRow,
  type RollbackRow,
  type RowOf,
  readChanges,
  type SendBody,
  type SendBody as SendRequest,
  type SendMode,
  type Sent,
  type SlashCommandNode,
  type SlashCommandRow,
  type Snapshot,
  type StatusRow,
  type SymbolNode,
  type TextNode,
  type Trigger,
  type TurnRow,
  type Usage,
} from "@parlor/protocol"
export type { Attachments, AttachmentsQuery, AttachOptions } from "./attachments.ts"
export type { Branches, NewBranch } from "./branches.ts"
export type { Answer, AnswerOptions, Edit, LeaseOptions, SendOptions, Stop } from "./commands.ts"
export { Conversation } from "./conversation.ts"
export { type LocalCode, ParlorError } from "./error.ts"
export { Feed } from "./feed.ts"
export type { AtOptions, EarlierOptions, FileRead, Files, WasOptions, WriteOptions } from "./files.ts"
export type { Connection, Following, FollowOptions, News } from "./follow.ts"
export type { Grants } from "./grants.ts"
export type { Hooks, HookWithFirings } from "./hooks.ts"
export type { ParlorOptions } from "./http.ts"
export type { Inspector } from "./inspector.ts"
export { makeKey } from "./key.ts"
export type { EditLease, LeasedEdit } from "./lease.ts"
export type { Links, LinksQuery } from "./links.ts"
export { LiveConversation, type LiveEdit, type LiveOptions } from "./live/conversation.ts"
export { LiveFeed, type LiveFeedState } from "./live/feed.ts"
export type { PendingSend } from "./live/outbox.ts"
export { type LiveState, loadingState } from "./live/state.ts"
export type { OutboxStorage } from "./live/stored-sends.ts"
export type { Memories, MemoryQuery } from "./memory.ts"
export type { Notices, NoticeWithFirings } from "./notices.ts"
export { type ConversationsQuery, type Keys, Parlor, type UsageQuery } from "./parlor.ts"
export type { Providers } from "./providers.ts"
export type { Pushes } from "./pushes.ts"
export type { RollbackOptions, Rollbacks } from "./rollbacks.ts"
export type { Schedules, SchedulesQuery, ScheduleWithFirings } from "./schedules.ts"
export type { SharedConversation } from "./shared-conversation.ts"
export type { ShareOptions, Shares } from "./shares.ts"
export type { StreamSlot, StreamSlots } from "./slots.ts"
export type { NextTry, Timing } from "./timing.ts"
export type { TimedToken, Token } from "./token.ts"
export type { OnProgress } from "./upload.ts"
