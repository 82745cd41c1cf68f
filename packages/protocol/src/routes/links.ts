/** Linked names of a person (ADR-4). They are passed in bodies and queries: a name may be anything, even "..". */
import { z } from "zod"
import { limits } from "../limits.ts"
import { personName } from "../names.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** `name` is linked to `person`. */
const linkView = z.object({ name: z.string(), person: z.string(), createdAt: z.number() })
export type LinkView = z.infer<typeof linkView>

export const linkRoutes = {
  listLinks: {
    needs: "manage",
    summary: "Lists linked names: of the caller and of people it may act for, or of one person",
    query: z.object({
      person: personName.optional(),
      cursor: personName.optional(),
      limit: z.coerce.number().int().min(1).max(limits.listLinks).default(limits.listLinksDefault),
    }),
    answer: ok(z.object({ links: z.array(linkView), cursor: z.string().nullable() })),
  },
  linkName: {
    needs: "manage",
    repeats: "harmless",
    summary: "Links a name that has no data of its own to a person",
    body: z.strictObject({
      name: personName,
      /** Default: the caller. */
      person: personName.optional(),
      /** Deletes the name's attachments; otherwise they block the link, as all other data does. */
      dropAttachments: z.boolean().default(false),
    }),
    answer: ok(linkView),
  },
  unlinkName: {
    needs: "manage",
    summary: "Unlinks a name: it becomes a person of its own again, with no data, and its open streams are closed",
    query: z.object({ name: personName }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>
