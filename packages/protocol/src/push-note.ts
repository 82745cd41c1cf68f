/** What a push tells the service worker, as JSON (APP-9). The worker finds the words: it knows the language. */
import type { AskRow } from "./rows/ask.ts"

export type PushNote = {
  readonly kind: "asks" | "done" | "failed" | "test"
  /** What kind of ask it is. */
  readonly ask?: AskRow["kind"]
  /** The same for every notification of one event, so that it is shown once. */
  readonly key: string
  readonly agent: string
  readonly branch: string
  /** The beginning of what was said or asked, if the person wants it on this device. */
  readonly text?: string
  /** How many conversations need the person (APP-5). */
  readonly needing: number
}
