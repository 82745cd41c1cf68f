/** An exported conversation as Markdown: its visible messages, for people to read (SHR-11). */
import type { MessageRow } from "@parlor/protocol"
import { readExport } from "./read-export.ts"
import { type DocumentWords, toolsUsed } from "./words.ts"

export async function* markdownDocument(lines: AsyncIterable<string>, words: DocumentWords): AsyncGenerator<string> {
  let agent = ""
  for await (const one of readExport(lines)) {
    if ("title" in one) {
      agent = one.agent
      yield `# ${oneLine(one.title) || words.untitled}\n`
    } else yield `\n${messageText(one.message, agent, words)}\n`
  }
}

function messageText(message: MessageRow, agent: string, words: DocumentWords): string {
  const { role, author, at, parts } = message
  const name = role === "person" ? words.you : author || agent
  const blocks = parts.flatMap((part) => {
    if (part.type === "text") return part.text.trim() === "" ? [] : [part.text.trim()]
    return part.type === "attachment" ? [`*${words.attached}: ${oneLine(part.name)}*`] : []
  })
  const used = toolsUsed(parts, words)
  return [`## ${oneLine(name)}`, `*${words.time(at)}*`, ...(used === undefined ? [] : [`*${used}*`]), ...blocks].join(
    "\n\n",
  )
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim()
}
