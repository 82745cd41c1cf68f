/** What hangs on a conversation, in words. Pure. */
import type { BranchView, MessageRow, StatusRow } from "@parlor/protocol"

export type Hanging = { readonly branches: readonly BranchView[]; readonly sidecars: readonly BranchView[] }

export function hangingOf(all: readonly BranchView[]): Hanging {
  return { branches: all.filter((one) => !one.ephemeral), sidecars: all.filter((one) => one.ephemeral) }
}

/** What it is called: its title, or its name. */
export function calledOf({ title, branch }: Pick<BranchView, "title" | "branch">): string {
  return title === "" ? branch : title
}

const EXCERPT = 120
/** Half of a character, where a text was cut. */
const HALF = /[\uD800-\uDBFF]$/

/** What a sidecar hangs on, by the message it was asked from; empty while that is not loaded, or when there is none. */
export function hangsOn(
  origin: Pick<NonNullable<StatusRow["origin"]>, "message"> | null | undefined,
  messages: readonly Pick<MessageRow, "id" | "parts">[],
): string {
  const message = origin && messages.find(({ id }) => id === origin.message)
  const text = (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join(" ")
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > EXCERPT
    ? `${line
        .slice(0, EXCERPT - 1)
        .replace(HALF, "")
        .trimEnd()}…`
    : line
}

/** What goes with a conversation that is deleted, for a person who is about to do it. */
export function goesWords(what: { readonly files: number; readonly hanging: readonly string[] }): readonly string[] {
  const words = ["Every message of it, also those rolled back"]
  if (what.files > 0) words.push(what.files === 1 ? "Its file" : `Its ${what.files} files`)
  const [only, ...more] = what.hanging
  if (only !== undefined && more.length === 0) words.push(`What hangs on it: ${only}`)
  if (more.length > 0)
    words.push(`What hangs on it: ${what.hanging.slice(0, -1).join(", ")} and ${what.hanging.at(-1)}`)
  return words
}
