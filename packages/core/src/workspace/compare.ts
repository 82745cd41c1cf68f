/** Diffs between stored contents, if they are text and short enough to compare. */
import type { Ports } from "../ports/ports.ts"
import { decodeText, type Version } from "./content.ts"
import { unifiedDiff } from "./diff.ts"

/** Longer files are not compared. */
const MAX_FILE_BYTES = 256 * 1024
/** Total bytes read by all comparisons of one answer. */
const MAX_BYTES = 4 * 1024 * 1024

export type Pair = { readonly before: Version | null; readonly after: Version | null }

/** One for each pair: a unified diff, or null for binary files, or if too large to compare. */
export async function diffsOf(node: Ports, pairs: readonly Pair[]): Promise<readonly (string | null)[]> {
  const diffs: (string | null)[] = []
  let bytes = 0
  for (const { before, after } of pairs) {
    const [old, now] = [before?.bytes ?? 0, after?.bytes ?? 0]
    const isCompared = old <= MAX_FILE_BYTES && now <= MAX_FILE_BYTES && bytes <= MAX_BYTES
    if (isCompared) bytes += old + now
    diffs.push(isCompared ? await diffOf(node, before, after) : null)
  }
  return diffs
}

async function diffOf(node: Ports, before: Version | null, after: Version | null): Promise<string | null> {
  const [old, now] = [await textAt(node, before), await textAt(node, after)]
  return old === undefined || now === undefined ? null : unifiedDiff(old, now)
}

async function textAt(node: Ports, version: Version | null): Promise<string | undefined> {
  if (version === null) return ""
  const content = await node.store.blobs.get(version.hash)
  return content && decodeText(content)
}
