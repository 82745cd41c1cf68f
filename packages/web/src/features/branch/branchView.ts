/** Labels for branches and sidecars. Pure. */
import type { BranchView, MessageRow, StatusRow } from "@parlor/protocol"

export type Hanging = { readonly branches: readonly BranchView[]; readonly sidecars: readonly BranchView[] }

export function groupBranches(all: readonly BranchView[]): Hanging {
  return { branches: all.filter((one) => !one.ephemeral), sidecars: all.filter((one) => one.ephemeral) }
}

/** Its title, or its name when it has none. */
export function calledOf({ title, branch }: Pick<BranchView, "title" | "branch">): string {
  return title === "" ? branch : title
}

const EXCERPT = 120
/** A lone surrogate at the end of a cut text. */
const HALF = /[\uD800-\uDBFF]$/

/** An excerpt of the message a sidecar starts from; empty when there is none or it is not loaded. */
export function originExcerpt(
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

/** What will be deleted with a conversation, for the confirmation dialog. */
export function deletedWords(what: { readonly files: number; readonly hanging: readonly string[] }): readonly string[] {
  const words = ["All messages, including rolled-back ones"]
  if (what.files > 0) words.push(what.files === 1 ? "1 file" : `${what.files} files`)
  const [only, ...more] = what.hanging
  if (only !== undefined && more.length === 0) words.push(`Its branch ${only}`)
  if (more.length > 0) words.push(`Its branches ${what.hanging.slice(0, -1).join(", ")} and ${what.hanging.at(-1)}`)
  return words
}
