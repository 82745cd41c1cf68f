/** Every bound of the wire, in one place. Refusals name the limit they met. */
export const limits = {
  bodyBytes: 2 * 1024 * 1024,
  importBytes: 256 * 1024 * 1024,
  importLineBytes: 4 * 1024 * 1024,
  importLines: 1_000_000,
  /** Different contents of files, attachments and outputs in one import. */
  importContents: 20_000,
  /** Written at once: other writes wait for no more than this. A longer import goes into an empty conversation (LOG-28). */
  importBatchLines: 128,
  importBatchBytes: 256 * 1024,
  /** Imports of one person at the same time. */
  importsAtOnce: 2,
  /** Deeper than a request's: what a tool once answered has to go out and in again. */
  importDepth: 512,
  messageBytes: 1024 * 1024,
  jsonDepth: 64,
  jsonValues: 50_000,
  headerBytes: 16 * 1024,
  composerNodes: 2_000,
  /** Of what a node refers to: a name, a path. */
  referenceLength: 1_024,
  messageTypeLength: 64,
  attachmentBytes: 20 * 1024 * 1024,
  /** Text is shown to the model as text, so it may not be as long as an image. */
  attachmentTextBytes: 4 * 1024 * 1024,
  attachmentNameLength: 255,
  attachmentsPerMessage: 32,
  /** What one person's attachments may take in all. */
  attachedBytes: 1024 * 1024 * 1024,
  queued: 1_000,
  editLeaseMs: 30_000,
  positionLength: 128,
  answerBytes: 64 * 1024,
  titleLength: 200,
  previewLength: 140,
  nameLength: 128,
  personLength: 256,
  /** Other names of one person. */
  linkedNames: 100,
  listAttachments: 500,
  listAttachmentsDefault: 100,
  listLinks: 500,
  listLinksDefault: 100,
  idempotencyKeyLength: 200,
  guests: 8,
  snapshotMessages: 1_000,
  snapshotMessagesDefault: 30,
  pageMessages: 10_000,
  pageMessagesDefault: 50,
  /** Of the rows of one page, and of the parts of a snapshot that may be long: a page ends early, with one row at least. */
  pageBytes: 1024 * 1024,
  snapshotArchives: 500,
  listConversations: 500,
  listConversationsDefault: 50,
  readerBufferBytes: 1024 * 1024,
  readPageEvents: 2_000,
  /** Of one page of a stream: each of many readers may have one on its way, and reading it is one step. */
  readPageBytes: 256 * 1024,
  /** How long a reader may take nothing at all of what waits for it. */
  readerStallMs: 30_000,
  /** Requests under way that cost much: of one person, by one key, in all. So many wait for each place, and so long. */
  heavyPerPerson: 4,
  heavyPerKey: 16,
  heavy: 48,
  heavyWaitingPerSlot: 16,
  heavyWaitMs: 20_000,
  heavyRetryMs: 2_000,
  /** Streams that are being caught up with, counted alike. */
  catchUpsPerPerson: 8,
  catchUpsPerKey: 32,
  catchUps: 128,
  /** Of bodies that come without a credential, while they are read: in all, and for one webhook. */
  strangersBytes: 16 * 1024 * 1024,
  hookUnreadBytes: 4 * 1024 * 1024,
  /** A server with less free space than this is not ready. */
  diskReserveBytes: 64 * 1024 * 1024,
  streamsPerPerson: 300,
  /** Of one API key, among those that all keys of a person have: `streamsPerPerson` beside the person's own. */
  streamsPerKey: 100,
  /** Open connections, unless set otherwise; fewer where the process may not have as many files open. */
  connections: 4_096,
  connectionsPerAddress: 1_024,
  /** Requests that wait on a connection for the one before them. */
  pipelinedRequests: 16,
  /** Of one person, by keys and sign-in; with the local token there is no such limit. */
  sendsPerMinute: 600,
  sendsAtOnce: 100,
  /** Model calls that may begin for one person; half of them without anybody waiting for the answer. */
  modelCallsPerMinute: 600,
  modelCallsAtOnce: 60,
  /** What one person may use in a day, unless settings say otherwise: tokens, and millionths of a dollar. */
  tokensPerDay: 50_000_000,
  microsPerDay: 20_000_000,
  /** What one person may have stored, unless settings say otherwise: logs, files with their history, memories, triggers. */
  storedBytes: 2 * 1024 * 1024 * 1024,
  /** Of one person, branches and sidecars included, unless settings say otherwise. */
  conversations: 5_000,
  usageDays: 400,
  usageDaysDefault: 1,
  /** Of one answer: a day has few, one for each source, agent and model. */
  usageLines: 5_000,
  /** From one address, before more of them are turned down unseen. */
  wrongCredentialsAtOnce: 300,
  wrongCredentialsPerMinute: 60,
  credentialLength: 8 * 1024,
  /** How many streams a branch's history may go through above its own. */
  branchDepth: 50,
  branches: 1_000,
  /** Of one conversation, cancelled ones included: every look at it reads them. */
  rollbacks: 500,
  rollbackPreview: 100,
  memoriesPerScope: 200,
  memoryNameLength: 64,
  memoryDescriptionLength: 200,
  memoryTypeLength: 32,
  memoryBodyBytes: 16 * 1024,
  memoryQueryLength: 200,
  /** In each scope, and their bodies together. */
  memoriesPinned: 8,
  memoriesPinnedBytes: 16 * 1024,
  /** What a turn is told of memories in all. Models with a small window are told less. */
  memoryNotesChars: 64 * 1024,
  searchLength: 500,
  /** Turns a compaction may leave as they are. */
  keepTurns: 50,
  searchHits: 100,
  searchHitsDefault: 20,
  fileBytes: 10 * 1024 * 1024,
  workspaceBytes: 200 * 1024 * 1024,
  workspaceFiles: 5_000,
  filePathLength: 400,
  filePathDepth: 16,
  /** Of one step of a path, in UTF-8: file systems take 255. */
  fileNameBytes: 200,
  inspectedTurns: 200,
  inspectedTurnsDefault: 50,
  /** Of one turn, from its beginning; and of the prompts of one answer together. */
  inspectedEvents: 50_000,
  inspectedPromptBytes: 8 * 1024 * 1024,
  pageChanges: 500,
  pageChangesDefault: 100,
  /** Of one person: those that are to fire yet. */
  schedules: 200,
  hooks: 50,
  notices: 10,
  scheduleEveryMs: 1_000,
  scheduleEveryMsMost: 366 * 24 * 60 * 60_000,
  cronLength: 120,
  timeZoneLength: 64,
  /** The last instant a Date knows. */
  latestMillis: 8_640_000_000_000_000,
  triggerNameLength: 100,
  hookTemplateLength: 16 * 1024,
  hookBytes: 1024 * 1024,
  /** What one place of a template takes in, and a template filled in, in characters. */
  hookValueLength: 32 * 1024,
  hookTextLength: 128 * 1024,
  /** Deliveries a minute, unless a webhook says otherwise, and the most one may say. */
  hookPerMinute: 60,
  hookPerMinuteMost: 6_000,
  deliveryIdLength: 200,
  /** Of one person, sent by programs that say nobody is at the keyboard. */
  apiTriggersPerMinute: 600,
  triggerHeaders: 32,
  triggerHeaderLength: 256,
  urlLength: 2_000,
  /** Of each trigger; deliveries that were refused are counted apart. */
  firings: 50,
  firingsRefused: 10,
  wakeupPromptLength: 16 * 1024,
  wakeupReasonLength: 500,
  /** Of a tool's output that is too long to show, so much is kept to be read on. */
  keptOutputBytes: 4 * 1024 * 1024,
} as const
