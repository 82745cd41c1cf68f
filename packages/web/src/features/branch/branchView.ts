/** Labels for branches and sidecars. Pure. */
import type { BranchView, MessageRow, StatusRow } from "@parlor/protocol"
import { untitled } from "../tab/tabList.ts"

export type Hanging = { readonly branches: readonly BranchView[]; readonly sidecars: readonly BranchView[] }

export function groupBranches(all: readonly BranchView[]): Hanging {
  return { branches: all.filter((one) => !one.ephemeral), sidecars: all.filter((one) => one.ephemeral) }
}

export function calledOf({ title }: Pick<BranchView, "title">): string {
  return title || untitled()
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
