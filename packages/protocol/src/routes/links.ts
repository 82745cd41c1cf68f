/** Names that are other names of a person (ADR-4). They go in bodies and queries: a name may be anything, also "..". */
import { z } from "zod"
import { limits } from "../limits.ts"
import { personName } from "../names.ts"
import { type DescribedRoute, ok } from "./route.ts"

/** `name` is another name of `person`. */
const linkView = z.object({ name: z.string(), person: z.string(), createdAt: z.number() })
export type LinkView = z.infer<typeof linkView>

export const linkRoutes = {
  listLinks: {
    needs: "manage",
    summary: "Which names are other names of whom: of the caller and of those it may act for, or of one person",
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
    summary: "Makes a name, which has nothing of its own, another name of a person",
    body: z.strictObject({
      name: personName,
      /** The caller, when not said. */
      person: personName.optional(),
      /** Attachments of the name are deleted; otherwise they stand in the way, as all else does. */
      dropAttachments: z.boolean().default(false),
    }),
    answer: ok(linkView),
  },
  unlinkName: {
    needs: "manage",
    summary: "Makes a name a person of its own again, with nothing, and cuts what it has open",
    query: z.object({ name: personName }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>
