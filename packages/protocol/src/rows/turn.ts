/** Turns of an agent, and the records of their steps. */
import { z } from "zod"
import { messageId, millis, problemNote, turnId } from "./fields.ts"
import { modelSettings } from "./model-settings.ts"
import { usage } from "./usage.ts"

/**
 * What a step's prompt consisted of, and the results of its model calls (LOG-15). Messages are referenced, not
 * copied, because they are already in the log. Everything else is stored by its hash.
 */
export const stepNote = z.object({
  /** From 1, within its turn; failed steps count too. */
  number: z.number().int().positive(),
  /** Its message; null if there is none. */
  message: messageId.nullable(),
  /** Instructions, notes and tools, by the hash of the stored copy; null if it could not be stored. */
  brief: z.string().nullable(),
  /** Which messages the model saw, as ranges of numbers. */
  shown: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** How many parts the answered message had at that time: context may be added to it later. */
  questionParts: z.number().int().nonnegative(),
  /** The archive whose summary replaced the earlier messages. */
  archive: z.string().nullable(),
  /** Attachments sent with them; for text, how many bytes. Refused: the model does not accept it and got a note instead. */
  attached: z.array(z.object({ hash: z.string(), kind: z.enum(["data", "text", "refused"]), bytes: z.number() })),
  /** Parts longer than this were shortened to fit the prompt into the context window (CPT-14). */
  maxPartChars: z.number().int().positive().optional(),
  /** Whether reasoning of earlier steps was returned to the model, if there was any (MOD-7). */
  returns: z.boolean().optional(),
  window: z.number(),
  maxOutput: z.number().nullable(),
  /** Hash of the request as sent, to check a prompt rebuilt later. */
  fingerprint: z.string(),
  attempts: z.array(
    z.object({
      model: z.string(),
      message: messageId.nullable(),
      startedAt: millis,
      firstAt: millis.nullable(),
      /** Null if it was interrupted. */
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
  /** The agent that answers instead of the conversation's own, and those after it (GST-1, GST-6). */
  guest: z.string().nullable(),
  guestsNext: z.array(z.string()),
  /** Set on a run that compacts the conversation instead of answering; `message` is then the newest one (CPT-4). */
  compaction: z.object({ keepTurns: z.number().int().nonnegative() }).nullable(),
  /** The conversation's model settings when the turn started, if it had any (MOD-3). */
  settings: modelSettings.nullable(),
  state: turnState,
  steps: z.number().int().nonnegative(),
  /** The last message of each standard turn that its handler ran: after a crash none of them runs again (CMP-12). */
  runs: z.array(messageId),
  /** The last message of each streamed reply that ended: after a crash none of them is streamed again (COD-1). */
  streams: z.array(messageId).optional(),
  usage,
  startedAt: millis,
  endedAt: millis.nullable(),
  error: problemNote.nullable(),
  /** A trigger started it: nobody is at the keyboard (TRG-1). */
  unattended: z.literal(true).optional(),
  /** The latest turn that tried its message again after it failed (TRN-24). */
  retriedBy: turnId.optional(),
  /** The last event before the turn: start reading here to see its events. Null after an import. */
  began: z.number().int().nonnegative().nullable(),
  /** The record of its newest step; earlier ones are in the log. */
  step: stepNote.nullable(),
})
export type TurnRow = z.infer<typeof turnRow>
