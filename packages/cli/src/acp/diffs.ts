/** The contents of changed files, before and after, for clients that show diffs. */
import type { AcpDiff } from "@parlor/adapters"
import { type Conversation, ParlorError } from "@parlor/client"
import type { ChangeRow } from "@parlor/protocol"

/** Of one side; longer files are listed as locations only. */
const MAX_BYTES = 256 * 1024
const MAX_DIFFS = 32

export async function diffsOf(
  conversation: Conversation,
  changes: readonly ChangeRow[],
  root: string,
): Promise<readonly AcpDiff[]> {
  const shown = changes
    .filter(({ bytes, bytesBefore }) => Math.max(bytes, bytesBefore) <= MAX_BYTES)
    .slice(0, MAX_DIFFS)
  const diffs = await Promise.all(shown.map((change) => diffOf(conversation, change, root)))
  return diffs.filter((diff) => diff !== undefined)
}

async function diffOf(conversation: Conversation, change: ChangeRow, root: string): Promise<AcpDiff | undefined> {
  const { id, path, before, after } = change
  try {
    const oldText = before === null ? null : await textOf(conversation, path, { before: id })
    const newText = after === null ? "" : await textOf(conversation, path, { after: id })
    if (oldText === undefined || newText === undefined) return undefined
    return { type: "diff", path: `${root}/${path}`, oldText, newText }
  } catch (error) {
    // The diff is an extra: without it, the call is still shown with its result.
    if (error instanceof ParlorError) return undefined
    throw error
  }
}

/** Undefined if the file is not text. */
async function textOf(
  conversation: Conversation,
  path: string,
  at: { readonly before: string } | { readonly after: string },
): Promise<string | undefined> {
  const { bytes } = await conversation.files.read(path, at)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
