/** The files of a workspace (WSP-4), and the full output of tools (TRN-11). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { conversationParams } from "../requests.ts"
import { changeRow, fileRow } from "../rows/file.ts"
import { wellFormedText } from "../text.ts"
import { type DescribedRoute, ok } from "./route.ts"

const id = z.string().min(1).max(limits.nameLength)
const fileParams = conversationParams.extend({ path: wellFormedText.min(1) })
/** As it was when that message was sent. */
const atQuery = z.object({ at: id.optional() })

const fileView = z.object({
  path: z.string(),
  bytes: z.number().int(),
  /** Null for files found on disk and not read yet. */
  hash: z.string().nullable(),
  /** Who changed it last, in which turn and when; absent for an earlier state. */
  by: z.string().optional(),
  turn: z.string().nullable().optional(),
  at: z.number().optional(),
})
export type FileListing = z.infer<typeof fileView>

const fileChange = changeRow.extend({
  /** A unified diff; null for binary files and files too long to compare. */
  diff: z.string().nullable(),
})
export type FileChange = z.infer<typeof fileChange>

export const filesRoutes = {
  listFiles: {
    needs: "read",
    summary: "The files of the workspace, by path",
    heavy: true,
    params: conversationParams,
    query: atQuery,
    answer: ok(z.object({ files: z.array(fileView) })),
  },
  readFile: {
    needs: "read",
    summary: "The content of a file; its ETag is the hash of the content",
    heavy: true,
    params: fileParams,
    query: atQuery.extend({
      /** As it was before a change of it, or as that change left it. */
      before: id.optional(),
      after: id.optional(),
    }),
    answer: { status: 200, type: "bytes" },
  },
  writeFile: {
    needs: "write",
    summary: "Creates or replaces a file; use If-Match or If-None-Match: * to refuse the write if the file has changed",
    heavy: true,
    params: fileParams,
    headers: ["If-Match", "If-None-Match"],
    bytes: { most: limits.fileBytes, tooLarge: "file.too-large" },
    answer: ok(z.object({ file: fileRow })),
  },
  removeFile: {
    needs: "write",
    summary: "Deletes a file",
    params: fileParams,
    headers: ["If-Match"],
    answer: { status: 204 },
  },
  listChanges: {
    needs: "read",
    summary: "File changes of one turn or of all turns, newest first",
    heavy: true,
    params: conversationParams,
    query: z.object({
      turn: id.optional(),
      /** Of this file only; a page may be short and continues at its cursor. */
      path: wellFormedText.min(1).max(limits.filePathLength).optional(),
      cursor: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(limits.pageChanges).default(limits.pageChangesDefault),
    }),
    answer: ok(z.object({ changes: z.array(fileChange), cursor: z.string().nullable() })),
  },
  readOutput: {
    needs: "read",
    summary: "The full output of a tool call whose message shows only the beginning",
    heavy: true,
    params: conversationParams.extend({ message: id, call: id }),
    query: z.object({
      /** A picture of the output instead (TRN-27): 0 is the first. */
      picture: z.coerce.number().int().min(0).max(limits.toolPictures).optional(),
    }),
    answer: { status: 200, type: "bytes" },
  },
} as const satisfies Record<string, DescribedRoute>
