/** Branches and sidecars (BRA-1 to BRA-6). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { branchName } from "../names.ts"
import { conversationParams, conversationPlace } from "../requests.ts"
import { branchRow, feedRow } from "../rows/feed.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** A branch of a conversation, and its current state. */
const branchView = branchRow.extend({
  title: feedRow.shape.title,
  preview: feedRow.shape.preview,
  state: feedRow.shape.state,
  unread: feedRow.shape.unread,
  archived: feedRow.shape.archived,
  activityAt: feedRow.shape.activityAt,
})
export type BranchView = z.infer<typeof branchView>

export const branchRoutes = {
  listBranches: {
    needs: "read",
    summary: "The branches and sidecars of a conversation, most recently active first",
    heavy: true,
    params: conversationParams,
    answer: ok(z.object({ branches: z.array(branchView) })),
  },
  makeBranch: {
    needs: "write",
    repeats: "own",
    summary: "Creates a branch from a message, or an empty one; a sidecar if it is ephemeral",
    params: conversationParams,
    body: z.strictObject({
      from: z.string().min(1).max(limits.nameLength).optional(),
      name: branchName.optional(),
      ephemeral: z.boolean().default(false),
    }),
    answer: { status: 201, schema: conversationPlace },
  },
  keepSidecar: {
    needs: "write",
    summary: "Turns a sidecar into an ordinary branch",
    params: conversationParams,
    answer: ok(conversationPlace),
  },
  mergeSidecar: {
    needs: "write",
    repeats: "own",
    summary: "Quotes a sidecar's last answer into its parent as a marked message; no turn starts",
    params: conversationParams,
    answer: ok(conversationPlace.extend({ message: z.string(), outcome: z.enum(["merged", "steering"]) })),
  },
  closeSidecar: {
    needs: "write",
    summary: "Closes a sidecar: it is kept or deleted, depending on the server's settings",
    params: conversationParams,
    answer: ok(conversationPlace.extend({ kept: z.boolean() })),
  },
} as const satisfies Record<string, DescribedRoute>
