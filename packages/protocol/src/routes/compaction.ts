/** Compacting a conversation, and its older chapters (CPT-1 to CPT-6). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { conversationParams, messagePage } from "../requests.ts"
import { archiveRow } from "../rows/archive.ts"
import { type DescribedRoute, ok } from "./route.ts"

const archiveParams = conversationParams.extend({ archive: z.string().min(1).max(limits.nameLength) })

const archivePage = z.object({ archives: z.array(archiveRow), older: z.string().nullable() })
export type ArchivePage = z.infer<typeof archivePage>

export const compactionRoutes = {
  compact: {
    needs: "write",
    summary: "Replaces older messages with a summary, for the model only; the last turns are left out",
    params: conversationParams,
    body: z.strictObject({ keepTurns: z.number().int().min(0).max(limits.keepTurns).optional() }),
    answer: { status: 202, schema: z.object({ turn: z.string() }) },
  },
  listArchives: {
    needs: "read",
    summary: "The conversation's chapters, newest first; older ones by page",
    heavy: true,
    params: conversationParams,
    query: z.object({ before: z.string().max(limits.cursorLength).optional() }),
    answer: ok(archivePage),
  },
  openArchive: {
    needs: "read",
    summary: "A chapter with its newest messages, newest first; older ones by page",
    heavy: true,
    params: archiveParams,
    answer: ok(messagePage.extend({ archive: archiveRow })),
  },
  undoCompaction: {
    needs: "write",
    summary: "Undoes the compaction: the model sees the archived messages again",
    params: archiveParams,
    answer: ok(z.object({ archive: archiveRow })),
  },
} as const satisfies Record<string, DescribedRoute>
