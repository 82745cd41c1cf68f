/** Previews what a rollback to a message would do (RBK-4, RBK-7). */
import { type Address, limits, parseRow, type RollbackPreview, type StreamId, visibleCount } from "@parlor/protocol"
import type { Agents } from "../agent/agent-of.ts"
import { conversationAt } from "../log/address.ts"
import { readLine } from "../log/line.ts"
import { excerpt } from "../text/excerpt.ts"
import { textOf } from "../text/text-of.ts"
import { filesAt } from "../workspace/at.ts"
import { diffsOf } from "../workspace/compare.ts"
import type { FileAccess } from "../workspace/file-access.ts"
import { allRows } from "../workspace/look.ts"
import { type Difference, differences, handsSince } from "./files.ts"
import { newestMessage, type Target, targetOf } from "./target.ts"

export async function previewRollback(
  node: FileAccess & Agents,
  address: Address,
  asked: { readonly to: string; readonly edit: boolean },
): Promise<RollbackPreview> {
  const { id: stream } = await conversationAt(node, address)
  const target = await targetOf(node, stream, asked.to, asked.edit)
  const fromOrd = (await newestMessage(node, stream))?.ord ?? 0
  return {
    messages: await dimming(node, stream, target.toOrd),
    count: visibleCount({ toOrd: target.toOrd, fromOrd }, target.section.dimmed),
    files: await shownFiles(node, await filesOf(node, stream, target)),
  }
}

async function dimming(
  node: FileAccess & Agents,
  stream: StreamId,
  toOrd: number,
): Promise<RollbackPreview["messages"]> {
  const found: RollbackPreview["messages"] = []
  for await (const { rows } of readLine(node.store, stream, { page: limits.rollbackPreview, visible: true })) {
    for (const row of rows) {
      if ((row.ord ?? 0) <= toOrd || found.length >= limits.rollbackPreview) return found.reverse()
      const { id, ord, role, author, at, parts } = parseRow("messages", row.value)
      found.push({ id, ord, role, author, at, text: excerpt(textOf(parts), limits.previewLength) })
    }
  }
  return found.reverse()
}

async function filesOf(
  node: FileAccess & Agents,
  stream: StreamId,
  { message, section }: Target,
): Promise<readonly Difference[]> {
  const hands = await handsSince(node, stream, message.at)
  const now = await allRows(node, stream)
  const found = differences(now, hands, await filesAt(node, section.stream, message.ord))
  return [...found].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** The diff from the current to the future content. Files that stay have none. */
async function shownFiles(node: FileAccess & Agents, files: readonly Difference[]): Promise<RollbackPreview["files"]> {
  const diffs = await diffsOf(node, files)
  return files.map((file, index) => ({
    path: file.path,
    change: changeOf(file),
    conflict: file.conflict,
    diff: file.isKept ? null : (diffs[index] ?? null),
  }))
}

function changeOf({ before, after, isKept }: Difference): RollbackPreview["files"][number]["change"] {
  if (isKept) return "kept"
  if (after === null) return "removed"
  return before === null ? "recreated" : "restored"
}
