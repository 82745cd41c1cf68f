/** The conversation as Markdown, as HTML, and on paper, from its export. */
import type { Conversation } from "@parlor/client"
import { type DocumentWords, htmlDocument, markdownDocument } from "@parlor/client/document"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { t } from "../../texts/en/share.ts"
import { momentText } from "../../texts/format.ts"
import { locale } from "../../texts/texts.ts"

export function asMarkdown(conversation: Conversation): Promise<string> {
  return whole(markdownDocument(conversation.export(), words()))
}

export function asHtml(conversation: Conversation): Promise<string> {
  const settings = { extensions: [gfm()], htmlExtensions: [gfmHtml()] }
  const render = (text: string) => micromark(text, settings)
  return whole(htmlDocument(conversation.export(), { words: words(), render }))
}

/** In a frame of its own, so that the page around it is not printed. */
export async function printed(html: string): Promise<void> {
  const frame = document.createElement("iframe")
  frame.title = t("print")
  frame.style.cssText = "position:fixed;inset:auto 0 0 auto;width:0;height:0;border:0;visibility:hidden"
  const isLoaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }))
  frame.srcdoc = html
  document.body.append(frame)
  await isLoaded
  frame.contentWindow?.addEventListener("afterprint", () => frame.remove(), { once: true })
  frame.contentWindow?.print()
}

async function whole(pieces: AsyncIterable<string>): Promise<string> {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all.join("")
}

function words(): DocumentWords {
  return {
    language: locale(),
    untitled: t("untitled"),
    you: t("you"),
    attached: t("attachment"),
    used: (tools) => t("usedTools", { tools }),
    time: momentText,
  }
}
