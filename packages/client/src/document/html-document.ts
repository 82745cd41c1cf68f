/**
 * An exported conversation as one HTML file, which prints well: pictures are in it, and it loads and runs nothing
 * (SHR-11).
 */
import type { MessageRow } from "@parlor/protocol"
import { attachmentsOf, type ExportedMessage, readExport } from "./read-export.ts"
import { type DocumentWords, toolsUsed } from "./words.ts"

export type HtmlOptions = {
  readonly words: DocumentWords
  /** Markdown as safe HTML: without raw HTML, and without links that run something. */
  readonly render: (markdown: string) => string
}

/** A longer text is shown as it was written. */
const MAX_RENDERED_CHARS = 256 * 1024

export async function* htmlDocument(lines: AsyncIterable<string>, options: HtmlOptions): AsyncGenerator<string> {
  const { words } = options
  let agent = ""
  for await (const one of readExport(lines)) {
    if ("title" in one) {
      agent = one.agent
      yield head(one.title || words.untitled, words)
    } else yield articleOf(one, agent, options)
  }
  yield "</main>\n</body>\n</html>\n"
}

function head(title: string, words: DocumentWords): string {
  return `<!doctype html>
<html lang="${escaped(words.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
`
}

function articleOf({ message, pictures }: ExportedMessage, agent: string, options: HtmlOptions): string {
  const { words, render } = options
  const { role, author, at, parts } = message
  const name = role === "person" ? words.you : author || agent
  const used = toolsUsed(parts, words)
  const texts = parts.flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : []))
  const body = texts.map((text) => (text.length > MAX_RENDERED_CHARS ? `<pre>${escaped(text)}</pre>` : render(text)))
  return `<article class="${role}">
<header><strong>${escaped(name)}</strong> <time datetime="${new Date(at).toISOString()}">${escaped(words.time(at))}</time></header>
${used === undefined ? "" : `<p class="note">${escaped(used)}</p>\n`}${body.join("\n")}
${attachments(message, pictures, words)}</article>
`
}

function attachments(message: MessageRow, pictures: ReadonlyMap<string, string>, words: DocumentWords): string {
  return attachmentsOf(message)
    .map(({ hash, name, mediaType }) => {
      const picture = pictures.get(hash)
      if (picture === undefined) return `<p class="note">${escaped(`${words.attached}: ${name}`)}</p>\n`
      return `<figure><img alt="${escaped(name)}" src="data:${escaped(mediaType)};base64,${picture}"></figure>\n`
    })
    .join("")
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: #1c1b1a; background: #fff; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.3; }
article { padding: 1rem 0; border-top: 1px solid #e4e2df; overflow-wrap: break-word; }
article.person { background: #f4f6f4; border: 0; border-radius: .75rem; padding: .75rem 1rem; margin: 1rem 0; }
header { font-size: .9rem; margin-bottom: .25rem; }
time, .note { color: #63605b; font-size: .85rem; }
pre { overflow-x: auto; padding: .75rem 1rem; border-radius: .5rem; background: #f2f1ef; font-size: .85rem; white-space: pre-wrap; }
code { font-family: ui-monospace, monospace; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #d8d5d1; padding: .25rem .6rem; text-align: left; }
blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid #d8d5d1; color: #55524e; }
img { max-width: 100%; border-radius: .5rem; }
figure { margin: .75rem 0; }
@media (prefers-color-scheme: dark) {
  body { color: #e9e7e4; background: #131416; }
  article { border-color: #2c2e31; }
  article.person { background: #1d2320; }
  pre { background: #1c1e21; }
  time, .note, blockquote { color: #a3a09b; }
  th, td, blockquote { border-color: #3a3c40; }
}
@media print {
  :root { color-scheme: light; }
  body { color: #000; background: #fff; font-size: 11pt; }
  main { max-width: none; padding: 0; }
  article.person { background: #f2f2f2; print-color-adjust: exact; }
  pre { background: #f5f5f5; print-color-adjust: exact; }
  header { break-after: avoid; }
  pre, figure, tr { break-inside: avoid; }
  time, .note, blockquote { color: #444; }
}
@page { margin: 18mm 16mm; }
`
