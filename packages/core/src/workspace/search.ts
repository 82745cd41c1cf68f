/** Plain text search in the files of a workspace. Limited, and says so if something was skipped. */
import type { StreamId } from "@parlor/protocol"
import type { SearchResult } from "../agent/workspace-access.ts"
import { decodeText } from "./content.ts"
import { folderOf } from "./disk.ts"
import type { FileAccess } from "./file-access.ts"
import { allRows, listFiles, peekFile } from "./look.ts"
import { checkPath } from "./path.ts"

const MAX_MATCHES = 100
const MAX_BYTES = 20 * 1024 * 1024
/** Longer files are skipped, so that none of them delays the others. */
const MAX_FILE_BYTES = 1024 * 1024
const LINE_CHARS = 200

type Match = SearchResult["matches"][number]

/** `path`: only this file, or files in this folder. */
export async function searchFiles(
  node: FileAccess,
  stream: StreamId,
  text: string,
  options: { readonly path?: string } = {},
): Promise<SearchResult> {
  const place = options.path === undefined ? undefined : checkPath(options.path.replace(/\/$/, ""))
  const folder = await folderOf(node, stream)
  const rows = await allRows(node, stream)
  const matches: Match[] = []
  let bytes = 0
  let more = false
  for (const view of await listFiles(node, stream, rows)) {
    if (place !== undefined && view.path !== place && !view.path.startsWith(`${place}/`)) continue
    if (view.bytes > MAX_FILE_BYTES || bytes + view.bytes > MAX_BYTES) {
      more = true
      continue
    }
    bytes += view.bytes
    const content = await peekFile(node, folder, view.path, rows.get(view.path))
    const found = content && decodeText(content)
    if (found === undefined) continue
    matches.push(...linesWith(view.path, found, text, MAX_MATCHES + 1 - matches.length))
    if (matches.length > MAX_MATCHES) return { matches: matches.slice(0, MAX_MATCHES), more: true }
  }
  return { matches, more }
}

function linesWith(path: string, text: string, wanted: string, most: number): readonly Match[] {
  const found: Match[] = []
  const needle = wanted.toLowerCase()
  let line = 0
  for (const one of text.split("\n")) {
    line += 1
    const at = one.toLowerCase().indexOf(needle)
    if (at < 0) continue
    found.push({ path, line, text: excerptAt(one, at) })
    if (found.length >= most) break
  }
  return found
}

/** The part of a long line around the match. */
function excerptAt(line: string, at: number): string {
  if (line.length <= LINE_CHARS) return line
  const start = Math.max(0, Math.min(at - LINE_CHARS / 4, line.length - LINE_CHARS))
  return line.slice(start, start + LINE_CHARS).toWellFormed()
}
