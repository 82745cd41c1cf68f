/** What people attach to messages: raw bytes in, named by their content from then on (CMP-15). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { fileName } from "../names.ts"
import { type DescribedRoute, ok } from "./route.ts"

const attachmentView = z.object({
  /** SHA-256 of the content: what a composer node of the kind `attachment` says. */
  hash: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int(),
})
export type AttachmentView = z.infer<typeof attachmentView>

const listedAttachment = attachmentView.extend({ at: z.number().int() })
export type ListedAttachment = z.infer<typeof listedAttachment>

const hash = z.string().regex(/^[0-9a-f]{64}$/, "An attachment is named by 64 of 0-9 and a-f.")

export const attachmentRoutes = {
  attach: {
    needs: "write",
    repeats: "harmless",
    summary: "Takes a file to attach to messages: its bytes as the body, its media type as the content type",
    heavy: true,
    query: z.object({ name: fileName.optional() }),
    bytes: { most: limits.attachmentBytes },
    answer: { status: 201, schema: attachmentView },
  },
  readAttachment: {
    needs: "read",
    summary: "What the caller attached, as it was",
    heavy: true,
    params: z.object({ hash }),
    answer: { status: 200, type: "bytes" },
  },
  listAttachments: {
    needs: "read",
    summary: "What the caller attached, the newest first, and how much room there is",
    query: z.object({
      cursor: z
        .string()
        .regex(/^\d{1,15}-[0-9a-f]{64}$/, "A cursor is one that a list answered.")
        .optional(),
      limit: z.coerce.number().int().min(1).max(limits.listAttachments).default(limits.listAttachmentsDefault),
    }),
    answer: ok(
      z.object({
        attachments: z.array(listedAttachment),
        cursor: z.string().nullable(),
        /** What all of them take, and what they may. */
        bytes: z.number().int(),
        most: z.number().int(),
      }),
    ),
  },
  deleteAttachment: {
    needs: "write",
    summary: "Deletes what the caller attached: messages keep its name, and nobody can read it from there any more",
    params: z.object({ hash }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>
