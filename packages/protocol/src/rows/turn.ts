/** Runs of an agent, and what is noted of their steps. */
import { z } from "zod"
import { messageId, millis, problemNote, turnId } from "./fields.ts"
import { usage } from "./usage.ts"

/**
 * What a step's prompt was made of, and how its model calls went (LOG-15). The messages are named, not copied: they are
 * in the log already. What is not in it is kept by its hash.
 */
export const stepNote = z.object({
  /** From 1, within its turn; one that failed counts too. */
  number: z.number().int().positive(),
  /** What it said; null when it came to nothing. */
  message: messageId.nullable(),
  /** Instructions, notes and tools, by the hash of what is kept; null when they could not be. */
  brief: z.string().nullable(),
  /** Which messages were shown: stretches from one number to another. */
  shown: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** How many parts the message it answers had then: context may be added to it later. */
  questionParts: z.number().int().nonnegative(),
  /** The archive whose summary stood for what came before. */
  archive: z.string().nullable(),
  /** What went along with them; of a text so many bytes. Refused: the model took none, and was told so instead. */
  attached: z.array(z.object({ hash: z.string(), kind: z.enum(["data", "text", "refused"]), bytes: z.number() })),
  /** Parts longer than this were shortened, because the prompt would not have fit otherwise (CPT-14). */
  maxPartChars: z.number().int().positive().optional(),
  window: z.number(),
  maxOutput: z.number().nullable(),
  /** Of the request as it was sent: what is rebuilt later is compared with it. */
  fingerprint: z.string(),
  attempts: z.array(
    z.object({
      model: z.string(),
      message: messageId.nullable(),
      startedAt: millis,
      firstAt: millis.nullable(),
      /** Null when it was broken off. */
      endedAt: millis.nullable(),
      usage: usage.nullable(),
      error: z.string().nullable(),
    }),
  ),
})
export type StepNote = z.infer<typeof stepNote>

export const turnState = z.enum(["running", "retrying", "waiting", "done", "stopped", "failed", "interrupted"])
export type TurnState = z.infer<typeof turnState>

export const turnRow = z.object({
  id: turnId,
  message: messageId,
  agent: z.string(),
  /** Who answers instead of the conversation's own agent, and who after that (GST-1, GST-6). */
  guest: z.string().nullable(),
  guestsNext: z.array(z.string()),
  /** Set on a run that compacts the conversation instead of answering; `message` is then the newest one (CPT-4). */
  compaction: z.object({ keepTurns: z.number().int().nonnegative() }).nullable(),
  state: turnState,
  steps: z.number().int().nonnegative(),
  /** The last message of each standard turn its handler has run: after a crash none of them is run again (CMP-12). */
  runs: z.array(messageId),
  usage,
  startedAt: millis,
  endedAt: millis.nullable(),
  error: problemNote.nullable(),
  /** The last event before it: where to begin reading what happened in it. Null after an import. */
  began: z.number().int().nonnegative().nullable(),
  /** Of its newest step; those of the earlier ones are in the log. */
  step: stepNote.nullable(),
})
export type TurnRow = z.infer<typeof turnRow>
