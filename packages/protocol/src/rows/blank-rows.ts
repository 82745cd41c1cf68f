/**
 * The defaults of rows. A stored row leaves out fields that have their default (LOG-2), and rows of earlier versions lack
 * fields that were added since (LOG-35). Without schemas: pages load this.
 */
import type { Collection, RowOf } from "../collections.ts"
import type { MessageRow } from "./message.ts"
import type { StatusRow } from "./status.ts"
import type { Usage } from "./usage.ts"

export const emptyUsage: Usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0, costMicros: 0 }

/** The status of a new conversation. */
export const blankStatus: StatusRow = {
  state: "idle",
  busyWith: null,
  held: null,
  again: null,
  failures: 0,
  turn: null,
  message: null,
  attempt: null,
  retryAt: null,
  error: null,
  usage: emptyUsage,
  grantedTokens: 0,
  personGrantedTokens: 0,
  settings: null,
  session: null,
  title: "",
  titledBy: null,
  titleTries: 0,
  preview: "",
  pinned: false,
  archived: false,
  labels: [],
  deleteAt: null,
  ephemeral: false,
  unread: false,
  origin: null,
  latestFile: null,
  files: 0,
  activityAt: 0,
  since: 0,
}

/** The defaults of a message: a field added here is in every message. */
export const blankMessage = {
  author: "",
  turn: null,
  composer: null,
  inbox: null,
  trigger: null,
  dimmed: false,
  editedFrom: null,
  usage: null,
  model: null,
  returned: null,
} as const satisfies Partial<MessageRow>

type Given = "id" | "ord" | "role" | "state" | "parts" | "at"

/** Assigned, not spread: each spread that adds fields makes a new hidden class (decision 0055). */
export function newMessage(own: Pick<MessageRow, Given> & Partial<MessageRow>): MessageRow {
  return Object.assign({}, blankMessage, own)
}

/** The defaults of fields that stored rows may lack. Add every new field of a collection here. */
export const addedFields: { readonly [C in Collection]: Readonly<Partial<RowOf<C>>> } = {
  status: blankStatus,
  messages: blankMessage,
  deltas: {},
  queue: { guests: [], attachments: [], trigger: null, editedFrom: null, lease: null },
  turns: {
    guest: null,
    guestsNext: [],
    compaction: null,
    settings: null,
    steps: 0,
    runs: [],
    usage: emptyUsage,
    endedAt: null,
    error: null,
    began: null,
    step: null,
  },
  asks: { call: null, detail: "", options: null, schema: null, expiresAt: null, answer: null, answeredBy: null },
  slashCommands: { arguments: [], owner: null },
  archives: { madeOrd: null, ended: null },
  rollbacks: { cancels: null, files: [], change: null, ended: null, earlier: [] },
  files: { turn: null },
  changes: { bytes: 0, bytesBefore: 0, turn: null },
  branches: { from: null, ephemeral: false },
  grants: {},
  shared: {},
  conversations: {
    parent: null,
    preview: "",
    held: false,
    queued: 0,
    asks: 0,
    unread: false,
    latestFile: null,
    pinned: false,
    archived: false,
    labels: [],
    deleteAt: null,
    spoken: null,
    ephemeral: false,
    tokens: 0,
    grantedTokens: 0,
    news: null,
  },
}
