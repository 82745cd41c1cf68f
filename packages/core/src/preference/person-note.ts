/**
 * What a turn is told about the person it answers (SET-6): their own words, marked. They are the person's wishes, like a
 * message of theirs, and can neither end the block nor pass for instructions of the agent's author (SEC-34).
 */
import type { Preferences } from "@parlor/protocol"
import { escapeTags, tagged } from "../text/tags.ts"

/** Empty if the person wants nothing in particular. */
export function personNote({ instructions }: Preferences): string {
  const text = instructions?.trim() ?? ""
  return text === "" ? "" : tagged("instructions", ' from="person"', `\n${escapeTags(text)}\n`)
}
