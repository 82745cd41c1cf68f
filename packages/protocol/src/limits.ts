import { composerNodes, referenceLength } from "./composer/limits.ts"

/** Every limit of the wire, in one place. Refusals name the limit that was exceeded. */
export const limits = {
  bodyBytes: 2 * 1024 * 1024,
  /** People per page of their list, and rows of usage totals. */
  listPeople: 200,
  usageTotals: 1_000,
  /** Of requests that contain files as text, in base64, and all earlier messages. */
  openaiBodyBytes: 8 * 1024 * 1024,
  importBytes: 256 * 1024 * 1024,
  importLineBytes: 4 * 1024 * 1024,
  importLines: 1_000_000,
  /** Distinct blobs (files, attachments, outputs) in one import. */
  importContents: 20_000,
  /** Written in one transaction: other writes wait no longer than this takes. A longer import needs an empty conversation (LOG-28). */
  importBatchLines: 128,
  importBatchBytes: 256 * 1024,
  /** Concurrent imports of one person. */
  importsAtOnce: 2,
  /** Deeper than a request's: exported tool results must import again. */
  importDepth: 512,
  messageBytes: 1024 * 1024,
  /** What a person wants every agent to know. */
  instructionsBytes: 8 * 1024,
  jsonDepth: 64,
  /** Messages of one JSON-RPC batch, which older MCP clients may send. */
  mcpBatch: 20,
  jsonValues: 50_000,
  headerBytes: 16 * 1024,
  composerNodes,
  referenceLength,
  attachmentBytes: 20 * 1024 * 1024,
  /** Text goes into the prompt as text, so it is limited more tightly than an image. */
  attachmentTextBytes: 4 * 1024 * 1024,
  attachmentNameLength: 255,
  attachmentsPerMessage: 32,
  /** Of all attachments of one person. */
  attachedBytes: 1024 * 1024 * 1024,
  /** How long the response to a send may wait for the reply. */
  sendWaitSeconds: 60,
  queued: 1_000,
  editLeaseMs: 30_000,
  positionLength: 128,
  answerBytes: 64 * 1024,
  titleLength: 200,
  /** Labels of one conversation. */
  labels: 10,
  labelLength: 40,
  previewLength: 140,
  nameLength: 128,
  personLength: 256,
  /** Linked names of one person. */
  linkedNames: 100,
  /** Active shares of one person, and how many ended ones are kept to say that they ended. */
  shares: 200,
  endedShares: 200,
  sharesPerMinute: 60,
  /** Active shares with one person that are listed. */
  listShared: 200,
  /** Requests by one share link, and its open streams. */
  linkReadsPerMinute: 600,
  linkReadsAtOnce: 120,
  streamsPerLink: 100,
  listAttachments: 500,
  listAttachmentsDefault: 100,
  listLinks: 500,
  listLinksDefault: 100,
  idempotencyKeyLength: 200,
  guests: 8,
  modelNameLength: 200,
  fallbacks: 4,
  providerKeyMin: 8,
  providerKeyMax: 1_024,
  providerUrlLength: 500,
  /** Models of a connected provider that are kept and offered. */
  providerModels: 200,
  maxOutputTokens: 1_000_000,
  /** Of one conversation: they are part of its status and of each turn. */
  modelSettingsBytes: 4 * 1024,
  /** Signatures and encrypted reasoning kept with one message. More is not kept. */
  reasoningBytes: 256 * 1024,
  snapshotMessages: 1_000,
  snapshotMessagesDefault: 30,
  pageMessages: 10_000,
  pageMessagesDefault: 50,
  /** Of the rows of one page, and of the long parts of a snapshot. A page over it ends early, but has at least one row. */
  pageBytes: 1024 * 1024,
  snapshotArchives: 500,
  /** Tools that a person always allows. */
  grants: 200,
  grantIdLength: 2_048,
  /** The newest turns that a snapshot looks at for failed ones. */
  snapshotTurns: 50,
  pageArchives: 500,
  cursorLength: 512,
  listConversations: 500,
  listConversationsDefault: 50,
  readerBufferBytes: 1024 * 1024,
  readPageEvents: 2_000,
  /** Of one page of a stream: each of many readers may have one in flight, and each is read in one step. */
  readPageBytes: 256 * 1024,
  /** How long a reader may read nothing while data is waiting for it. */
  readerStallMs: 30_000,
  /** Concurrent expensive requests: per person, per key, in total; then how many may wait for each place, and how long. */
  heavyPerPerson: 4,
  heavyPerKey: 16,
  heavy: 48,
  heavyWaitingPerSlot: 16,
  heavyWaitMs: 20_000,
  heavyRetryMs: 2_000,
  /** Streams that are catching up, counted the same way. */
  catchUpsPerPerson: 8,
  catchUpsPerKey: 32,
  catchUps: 128,
  /** Of unauthenticated bodies while they are read: in total, and per webhook. */
  strangersBytes: 16 * 1024 * 1024,
  hookUnreadBytes: 4 * 1024 * 1024,
  /** A server with less free space than this is not ready. */
  diskReserveBytes: 64 * 1024 * 1024,
  streamsPerPerson: 300,
  /** Of one API key. All keys of a person together have `streamsPerPerson`, in addition to the person's own. */
  streamsPerKey: 100,
  /** Open connections by default; fewer if the process's open-file limit is lower. */
  connections: 4_096,
  connectionsPerAddress: 1_024,
  /** Pipelined requests that wait on one connection. */
  pipelinedRequests: 16,
  /** Of one person, by keys and sign-in; the local token has no such limit. */
  sendsPerMinute: 600,
  sendsAtOnce: 100,
  /** Model calls that may start for one person; at most half of them for turns nobody waits for. */
  modelCallsPerMinute: 600,
  modelCallsAtOnce: 60,
  /** Default daily limits of one person: tokens, and millionths of a dollar. */
  tokensPerDay: 50_000_000,
  microsPerDay: 20_000_000,
  /** Default storage of one person: logs, files with their history, memories, triggers. */
  storedBytes: 2 * 1024 * 1024 * 1024,
  /** Default for one person, including branches and sidecars. */
  conversations: 5_000,
  /** Default for one person: files in all workspaces, branches included, and attachments. */
  storedFiles: 100_000,
  usageDays: 400,
  usageDaysDefault: 1,
  /** Of one response: a day has few rows, one per source, agent and model. */
  usageLines: 5_000,
  /** From one address, before further ones are refused without a check. */
  wrongCredentialsAtOnce: 300,
  wrongCredentialsPerMinute: 60,
  credentialLength: 8 * 1024,
  /** How many ancestor streams a branch's history may span. */
  branchDepth: 50,
  branches: 1_000,
  /** Of one conversation, including canceled ones: every read of it loads them. */
  rollbacks: 500,
  rollbackPreview: 100,
  memoriesPerScope: 200,
  memoryNameLength: 64,
  memoryDescriptionLength: 200,
  memoryTypeLength: 32,
  memoryBodyBytes: 16 * 1024,
  memoryQueryLength: 200,
  /** Memories per scope, and the total size of their bodies. */
  memoriesPinned: 8,
  memoriesPinnedBytes: 16 * 1024,
  /** All memory text in one turn's prompt. Models with a small context window get less. */
  memoryNotesChars: 64 * 1024,
  searchLength: 500,
  /** Newest turns that a compaction may leave out. */
  keepTurns: 50,
  searchHits: 100,
  searchHitsDefault: 20,
  fileBytes: 10 * 1024 * 1024,
  workspaceBytes: 200 * 1024 * 1024,
  workspaceFiles: 5_000,
  filePathLength: 400,
  filePathDepth: 16,
  /** Of one path segment, in UTF-8: file systems allow 255. */
  fileNameBytes: 200,
  inspectedTurns: 200,
  inspectedTurnsDefault: 50,
  /** Events of one turn, from its start; and bytes of all prompts in one response. */
  inspectedEvents: 50_000,
  inspectedPromptBytes: 8 * 1024 * 1024,
  pageChanges: 500,
  pageChangesDefault: 100,
  /** Defaults for one person. Of schedules, those that have not ended. */
  schedules: 200,
  hooks: 50,
  notices: 10,
  /** Browsers of one person that are notified. */
  pushes: 20,
  scheduleEveryMs: 1_000,
  scheduleEveryMsMost: 366 * 24 * 60 * 60_000,
  cronLength: 120,
  timeZoneLength: 64,
  /** The latest time a Date can represent. */
  latestMillis: 8_640_000_000_000_000,
  triggerNameLength: 100,
  hookTemplateLength: 16 * 1024,
  hookBytes: 1024 * 1024,
  /** The value of one template placeholder, and the filled-in template, in characters. */
  hookValueLength: 32 * 1024,
  hookTextLength: 128 * 1024,
  /** Deliveries per minute: the default of a webhook, and the maximum it can be set to. */
  hookPerMinute: 60,
  hookPerMinuteMost: 6_000,
  deliveryIdLength: 200,
  /** Of one person, sent by programs as deliveries (nobody at the keyboard). */
  apiTriggersPerMinute: 600,
  triggerHeaders: 32,
  triggerHeaderLength: 256,
  urlLength: 2_000,
  /** Of each trigger; refused deliveries are counted separately. */
  firings: 50,
  firingsRefused: 10,
  wakeupPromptLength: 16 * 1024,
  wakeupReasonLength: 500,
  /** How much is stored of a tool output that is too long to show in full. */
  keptOutputBytes: 4 * 1024 * 1024,
  /** Pictures of one tool call, and the size of each (TRN-27). */
  toolPictures: 8,
  toolPictureBytes: 5 * 1024 * 1024,
} as const
