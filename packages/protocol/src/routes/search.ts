/** Search in the caller's conversations and memories (CPT-8). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { agentName } from "../names.ts"
import { wellFormedText } from "../text.ts"
import { type DescribedRoute, ok } from "./route.ts"

const snippet = z.object({
  text: z.string(),
  /** The matched words in `text`: start and end, in UTF-16 code units. */
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
})
const place = { agent: z.string(), branch: z.string(), title: z.string(), at: z.number(), snippet }

const searchHit = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("message"),
    ...place,
    message: z.string(),
    role: z.enum(["person", "agent"]),
    author: z.string(),
    /** It was rolled back: shown dimmed, hidden from the model. */
    dimmed: z.boolean(),
  }),
  z.object({ kind: z.literal("archive"), ...place, archive: z.string() }),
  z.object({
    kind: z.literal("memory"),
    scope: z.enum(["user", "project"]),
    name: z.string(),
    description: z.string(),
    at: z.number(),
    snippet,
  }),
])
export type SearchHitView = z.infer<typeof searchHit>

export const searchRoutes = {
  search: {
    needs: "read",
    summary: "Searches the caller's conversations and memories, best matches first",
    heavy: true,
    query: z.object({
      q: wellFormedText.min(1, "The search text is empty.").max(limits.searchLength),
      agent: agentName.optional(),
      limit: z.coerce.number().int().min(1).max(limits.searchHits).default(limits.searchHitsDefault),
    }),
    answer: ok(z.object({ hits: z.array(searchHit) })),
  },
} as const satisfies Record<string, DescribedRoute>
