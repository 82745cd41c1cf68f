/** Files of a conversation, and what changed them. */
import { z } from "zod"
import { millis, turnId } from "./fields.ts"

/** A file of the workspace as Parlor last saw or wrote it. */
export const fileRow = z.object({
  path: z.string(),
  hash: z.string(),
  bytes: z.number().int().nonnegative(),
  /** `agent:<name>`, `person`, or `hand`: changed on disk outside of Parlor. */
  by: z.string(),
  turn: turnId.nullable(),
  at: millis,
})
export type FileRow = z.infer<typeof fileRow>

/** One change of one file: what was there before and after, by content (WSP-2). `ord` is the newest message at that time. */
export const changeRow = z.object({
  id: z.string(),
  ord: z.number().int(),
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Size after and before the change; 0 if there is no file. */
  bytes: z.number().int().nonnegative(),
  bytesBefore: z.number().int().nonnegative(),
  by: z.string(),
  turn: turnId.nullable(),
  at: millis,
})
export type ChangeRow = z.infer<typeof changeRow>
