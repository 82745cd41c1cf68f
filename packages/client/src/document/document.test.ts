import { blankMessage, type MessageRow, type Part } from "@parlor/protocol"
import { expect, test } from "vitest"
import { type DocumentWords, htmlDocument, markdownDocument } from "./document.ts"

const words: DocumentWords = {
  language: "en",
  untitled: "Conversation",
  you: "You",
  attached: "Attachment",
  used: (tools) => `Used ${tools}`,
  time: () => "noon",
}
const tool = (name: string): Part => ({
  type: "tool",
  call: name,
  name,
  input: "private",
  state: "done",
  output: "private",
  error: null,
})
const picture: Part = { type: "attachment", hash: "h1", name: "a<b>.png", mediaType: "image/png", bytes: 3 }

function row(role: MessageRow["role"], parts: Part[], rest: Partial<MessageRow> = {}): MessageRow {
  return { ...blankMessage, id: "m", ord: 1, role, state: "done", parts, at: 0, ...rest } as MessageRow
}

async function* lines() {
  const all = [
    { parlor: 1, agent: "host", title: "Tulips <b>" },
    { content: { hash: "h1", bytes: 6, data: "QUJD" } },
    { content: { hash: "h1", bytes: 6, data: "REVG" } },
    { message: row("person", [{ type: "text", text: "Look" }, picture]) },
    {
      message: row("agent", [
        { type: "reasoning", text: "private" },
        tool("search"),
        { type: "text", text: "**Nice**" },
      ]),
    },
    { message: row("agent", [{ type: "text", text: "rolled back" }], { dimmed: true }) },
    { message: row("agent", [{ type: "text", text: "Guest" }], { author: "critic" }) },
    { file: { path: "private.txt" } },
  ]
  for (const line of all) yield JSON.stringify(line)
}

async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = ""
  for await (const piece of pieces) text += piece
  return text
}

test("[SHR-11] Markdown has the title, who said what, and nothing hidden", async () => {
  expect(await whole(markdownDocument(lines(), words))).toBe(
    "# Tulips <b>\n\n## You\n\n*noon*\n\nLook\n\n*Attachment: a<b>.png*\n" +
      "\n## host\n\n*noon*\n\n*Used search*\n\n**Nice**\n\n## critic\n\n*noon*\n\nGuest\n",
  )
})

test("[SHR-11] HTML is escaped, contains its pictures and forbids everything else", async () => {
  const html = await whole(htmlDocument(lines(), { words, render: (text) => `<p>rendered ${text}</p>` }))
  expect(html).toContain("<h1>Tulips &lt;b&gt;</h1>")
  expect(html).toContain(`<img alt="a&lt;b&gt;.png" src="data:image/png;base64,QUJDREVG">`)
  expect(html).toContain("<p>rendered **Nice**</p>")
  expect(html).toContain("default-src 'none'; img-src data:")
  expect(html).not.toMatch(/private|rolled back|<b>/)
  expect(html.trimEnd().endsWith("</html>")).toBe(true)
})
