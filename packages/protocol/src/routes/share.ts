/** Sharing a conversation with a link or with other people (SHR-1). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { agentName, branchName, personName } from "../names.ts"
import { conversationParams, eventsQuery, historyQuery, snapshotQuery } from "../requests.ts"
import { messageRow } from "../rows/message.ts"
import { statusState } from "../rows/status.ts"
import { wellFormedText } from "../text.ts"
import { type DescribedRoute, ok } from "./route.ts"

const id = z.string().min(1).max(limits.nameLength)
const shareParams = z.object({ share: id })

/** What a share shows besides the messages and their attachments. */
const shows = z.object({
  /** The owner's name. */
  name: z.boolean(),
  /** Reasoning, and the input and output of tool calls. */
  details: z.boolean(),
  /** The files of the workspace. */
  files: z.boolean(),
})

const shareView = z.object({
  id: z.string(),
  agent: z.string(),
  branch: z.string(),
  /** `snapshot`: the messages there were when it was created. `live`: new ones too, as they come. */
  mode: z.enum(["snapshot", "live"]),
  /** Null: everybody who has the link. */
  viewer: z.string().nullable(),
  shows,
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
})
export type ShareView = z.infer<typeof shareView>

/** What others shared with the caller, without what it contains. */
const sharedView = z.object({
  id: z.string(),
  title: z.string(),
  agent: z.string(),
  mode: shareView.shape.mode,
  /** Null unless the owner chose to be named. */
  sharedBy: z.string().nullable(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
})
export type SharedView = z.infer<typeof sharedView>

const sharedPage = z.object({
  /** Those that are visible to the owner, reduced to what is shared. */
  messages: z.array(messageRow),
  /** The cursor of the next page; null at the beginning of the conversation. */
  older: z.string().nullable(),
})
export type SharedPage = z.infer<typeof sharedPage>

const sharedConversation = sharedView.extend({
  /** Oldest first. */
  ...sharedPage.shape,
  state: statusState,
  shows,
})
export type SharedConversation = z.infer<typeof sharedConversation>

const sharedFile = z.object({ path: z.string(), bytes: z.number().int() })

export const shareRoutes = {
  makeShare: {
    needs: "write",
    repeats: "never",
    summary: "Shares the conversation, read only: by a link, whose secret is shown once, or with a person",
    params: conversationParams,
    body: z.strictObject({
      mode: z.enum(["snapshot", "live"]).default("snapshot"),
      /** Default: a link. */
      viewer: personName.nullable().default(null),
      /** Default: 30 days from now for a link, never for a person. */
      expiresAt: z.number().int().min(0).max(limits.latestMillis).nullable().optional(),
      /** Default: nothing more than messages; a person is told who shares with them. */
      shows: shows.strict().partial().default({}),
    }),
    answer: {
      status: 201,
      schema: shareView.extend({
        /** Of a link: the path of the page that shows it, with the secret in its fragment. */
        path: z.string().nullable(),
      }),
    },
  },
  listShares: {
    needs: "read",
    summary: "What the caller shares, newest first: of one conversation, or all",
    query: z.object({ agent: agentName.optional(), branch: branchName.optional() }),
    answer: ok(z.object({ shares: z.array(shareView) })),
  },
  revokeShare: {
    needs: "write",
    summary: "Stops sharing: the link no longer works, and its open streams are closed",
    params: shareParams,
    answer: { status: 204 },
  },
  listShared: {
    needs: "read",
    summary: "What others share with the caller, newest first",
    heavy: true,
    answer: ok(z.object({ shared: z.array(sharedView) })),
  },
  openShared: {
    needs: "read",
    shared: true,
    summary: "A shared conversation with its newest messages",
    heavy: true,
    params: shareParams,
    query: snapshotQuery,
    answer: ok(sharedConversation),
  },
  listSharedMessages: {
    needs: "read",
    shared: true,
    summary: "Older messages of a shared conversation, newest first",
    heavy: true,
    params: shareParams,
    query: historyQuery,
    answer: ok(sharedPage),
  },
  followShared: {
    needs: "read",
    shared: true,
    summary: "A shared conversation as a stream: its current rows, then changes as they come",
    params: shareParams,
    query: eventsQuery.extend({ view: z.literal("state").default("state") }),
    headers: ["If-None-Match", "Last-Event-ID"],
    stream: true,
  },
  readSharedAttachment: {
    needs: "read",
    shared: true,
    summary: "Downloads an attachment of a shared message",
    heavy: true,
    params: shareParams.extend({
      message: id,
      hash: z.string().regex(/^[0-9a-f]{64}$/, "Use 64 lowercase hex digits."),
    }),
    answer: { status: 200, type: "bytes" },
  },
  listSharedFiles: {
    needs: "read",
    shared: true,
    summary: "The files of a shared conversation, if they are shared",
    heavy: true,
    params: shareParams,
    answer: ok(z.object({ files: z.array(sharedFile) })),
  },
  readSharedFile: {
    needs: "read",
    shared: true,
    summary: "The content of a shared file",
    heavy: true,
    params: shareParams.extend({ path: wellFormedText.min(1) }),
    answer: { status: 200, type: "bytes" },
  },
} as const satisfies Record<string, DescribedRoute>
