/** What people attach to messages: raw bytes in, named by their content from then on (CMP-15). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { fileName } from "../names.ts"
import type { Route } from "./route.ts"

export const attachmentView = z.object({
  /** SHA-256 of the content: what a composer node of the kind `attachment` says. */
  hash: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int(),
})
export type AttachmentView = z.infer<typeof attachmentView>

export const attachmentRoutes = {
  attach: {
    method: "POST",
    path: "/v1/attachments",
    needs: "write",
    summary: "Takes a file to attach to messages: its bytes as the body, its media type as the content type",
    query: z.object({ name: fileName.optional() }),
    bytes: { most: limits.attachmentBytes },
    answer: { status: 201, schema: attachmentView },
  },
  readAttachment: {
    method: "GET",
    path: "/v1/attachments/:hash",
    needs: "read",
    summary: "What the caller attached, as it was",
    params: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/, "An attachment is named by 64 of 0-9 and a-f.") }),
    answer: { status: 200, type: "bytes" },
  },
} as const satisfies Record<string, Route>
