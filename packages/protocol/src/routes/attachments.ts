/** Attachments of messages: uploaded as raw bytes, then named by the hash of their content (CMP-15). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { fileName } from "../names.ts"
import { type DescribedRoute, ok } from "./route.ts"

const attachmentView = z.object({
  /** SHA-256 of the content: the `hash` of a composer node of the kind `attachment`. */
  hash: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int(),
})
export type AttachmentView = z.infer<typeof attachmentView>

const listedAttachment = attachmentView.extend({ at: z.number().int() })
export type ListedAttachment = z.infer<typeof listedAttachment>

const hash = z.string().regex(/^[0-9a-f]{64}$/, "An attachment hash is 64 lowercase hex digits.")

export const attachmentRoutes = {
  attach: {
    needs: "write",
    repeats: "harmless",
    summary: "Uploads a file to attach to messages: its bytes as the body, its media type as the content type",
    heavy: true,
    query: z.object({ name: fileName.optional() }),
    bytes: { most: limits.attachmentBytes },
    answer: { status: 201, schema: attachmentView },
  },
  readAttachment: {
    needs: "read",
    summary: "Downloads one of the caller's attachments",
    heavy: true,
    params: z.object({ hash }),
    answer: { status: 200, type: "bytes" },
  },
  listAttachments: {
    needs: "read",
    summary: "The caller's attachments, newest first, and how much storage is left",
    query: z.object({
      cursor: z
        .string()
        .regex(/^\d{1,15}-[0-9a-f]{64}$/, "Use a cursor that this list returned.")
        .optional(),
      limit: z.coerce.number().int().min(1).max(limits.listAttachments).default(limits.listAttachmentsDefault),
    }),
    answer: ok(
      z.object({
        attachments: z.array(listedAttachment),
        cursor: z.string().nullable(),
        /** Total size, and the maximum. */
        bytes: z.number().int(),
        most: z.number().int(),
      }),
    ),
  },
  deleteAttachment: {
    needs: "write",
    summary: "Deletes one of the caller's attachments: messages keep its name, but its content can no longer be read",
    params: z.object({ hash }),
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>
