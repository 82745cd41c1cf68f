/** Memories (MEM-1), and the routes to read and change them (MEM-7). */
import { z } from "zod"
import { limits } from "../limits.ts"
import { conversationPlace } from "../requests.ts"
import { sizeWords } from "../size-words.ts"
import { wellFormedText } from "../text.ts"
import { type DescribedRoute, ok } from "./route.ts"

const CONTROL = /[\p{Cc}\u2028\u2029]/u

export const memoryScope = z.enum(["user", "project"])
export type MemoryScope = z.infer<typeof memoryScope>

export const memoryName = z
  .string()
  .max(limits.memoryNameLength)
  .regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    "A memory name has lowercase letters and digits, with single hyphens between them.",
  )

/** What a person or an agent writes. The server records who wrote it, where and when. */
export const memoryText = z.strictObject({
  description: wellFormedText
    .max(limits.memoryDescriptionLength)
    .refine((text) => text.trim() !== "", "The description is empty. Say in one line what the memory is about.")
    .refine((text) => !CONTROL.test(text), "A description must be one line without control characters."),
  type: z
    .string()
    .max(limits.memoryTypeLength)
    .regex(
      /^[a-z][a-z0-9-]*$/,
      "A type is user, feedback, project, reference, or another word of lowercase letters, digits and hyphens.",
    ),
  body: wellFormedText.refine(
    (text) => utf8Bytes(text) <= limits.memoryBodyBytes,
    `The body is too large. The maximum is ${sizeWords(limits.memoryBodyBytes)}.`,
  ),
})

export const memoryEntry = memoryText.extend({ scope: memoryScope, name: memoryName, pinned: z.boolean().optional() })
/** `pinned`: unchanged by default. */
export type MemoryEntry = z.infer<typeof memoryEntry>

/** A list row: everything except the body. */
const memoryLine = z.object({
  scope: memoryScope,
  name: z.string(),
  description: z.string(),
  type: z.string(),
  pinned: z.boolean(),
  /** `person`, or the agent that wrote it; then `writtenIn` is its conversation. */
  writtenBy: z.string(),
  writtenIn: conversationPlace.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
const memory = memoryLine.extend({ body: z.string() })
export type MemoryLine = z.infer<typeof memoryLine>
export type Memory = z.infer<typeof memory>

const memoryParams = z.object({ scope: memoryScope, name: memoryName })

export const memoryRoutes = {
  listMemories: {
    needs: "read",
    summary: "The caller's memories and the project's, without their bodies",
    heavy: true,
    query: z.object({
      scope: memoryScope.optional(),
      /** All words must occur in the name, the description, the type or the body. */
      q: wellFormedText.max(limits.memoryQueryLength).optional(),
    }),
    answer: ok(z.object({ memories: z.array(memoryLine) })),
  },
  readMemory: {
    needs: "read",
    summary: "One memory with its body",
    params: memoryParams,
    answer: ok(z.object({ memory })),
  },
  writeMemory: {
    needs: "write",
    repeats: "harmless",
    summary: 'Writes or replaces a memory; in the scope project this needs the scope "manage"',
    params: memoryParams,
    body: memoryText.extend({ pinned: z.boolean().optional() }),
    answer: ok(z.object({ memory })),
  },
  deleteMemory: {
    needs: "write",
    summary: 'Deletes a memory; in the scope project this needs the scope "manage"',
    params: memoryParams,
    answer: { status: 204 },
  },
} as const satisfies Record<string, DescribedRoute>

export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
