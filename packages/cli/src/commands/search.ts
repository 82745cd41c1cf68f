/** `parlor search …`: searches all your conversations and memories (CPT-8). */
import { plainSnippet, type SearchHitView } from "@parlor/protocol"
import { plain, plainJson } from "../plain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type SearchOptions = ConnectionOptions & {
  readonly agent?: string
  readonly limit?: string
  readonly json?: boolean
  readonly terminal: Terminal
}

export async function search(words: readonly string[], options: SearchOptions): Promise<number> {
  const { agent, limit, terminal } = options
  const asked = { ...(agent === undefined ? {} : { agent }), ...(limit === undefined ? {} : { limit: Number(limit) }) }
  const hits = await connect(options).search(words.join(" "), asked)
  for (const hit of hits) {
    if (options.json) await terminal.out(`${plainJson(JSON.stringify(hit))}\n`)
    else await terminal.out(hitLines(hit, terminal.isInteractive))
  }
  if (hits.length === 0 && !options.json) terminal.note("No matches.")
  return 0
}

/** Where it is, and the matched words with context. */
export function hitLines(hit: SearchHitView, isInteractive: boolean): string {
  return `${plain(placeOf(hit))}\n    ${plain(marked(hit, isInteractive))}\n`
}

function placeOf(hit: SearchHitView): string {
  const when = new Date(hit.at).toLocaleString()
  if (hit.kind === "memory") return `memory ${hit.scope}/${hit.name}  ${when}`
  const where = `${hit.agent}/${hit.branch}  ${when}`
  if (hit.kind === "archive") return `${where}  summary ${hit.archive}`
  return `${where}  ${hit.author || hit.role}  ${hit.message}${hit.dimmed ? "  (rolled back)" : ""}`
}

/** Matches in brackets, because `plain` removes colors. Markdown is stripped. */
function marked({ snippet }: SearchHitView, isShown: boolean): string {
  const { text, marks } = plainSnippet(snippet)
  if (!isShown) return text
  let shown = ""
  let last = 0
  for (const [start, end] of marks) {
    shown += `${text.slice(last, start)}[${text.slice(start, end)}]`
    last = end
  }
  return shown + text.slice(last)
}
