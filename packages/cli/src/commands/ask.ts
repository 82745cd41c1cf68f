/** `parlor ask …`: open questions of agents, and answering them (TRN-12). */
import type { AskRow } from "@parlor/protocol"
import { askLines, findAsk, howToAnswer, readAnswer } from "../asks.ts"
import { plain, plainJson } from "../plain.ts"
import { type ConversationOptions, conversationOf, hint } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type AskOptions = ConversationOptions & { readonly terminal: Terminal }

export async function list(options: AskOptions & { readonly json?: boolean }): Promise<number> {
  const { terminal } = options
  const { asks } = await (await conversationOf(options)).open({ messages: 1 })
  for (const [index, ask] of asks.entries()) {
    if (options.json) {
      await terminal.out(`${plainJson(JSON.stringify(ask))}\n`)
      continue
    }
    const [title = "", ...more] = askLines(ask)
    await terminal.out(`${index + 1}  ${plain(ask.id)}  ${ask.kind}  ${title}\n`)
    for (const line of more) await terminal.out(`   ${line}\n`)
    const until = ask.expiresAt === null ? "" : `, until ${new Date(ask.expiresAt).toLocaleString()}`
    terminal.note(`   ${hint(`ask answer ${index + 1} …`, options)} with ${howToAnswer(ask, "").trim()}${until}`)
  }
  if (asks.length === 0 && !options.json) terminal.note("There are no open questions.")
  return 0
}

export async function answer(ref: string, words: readonly string[], options: AskOptions): Promise<number> {
  const conversation = await conversationOf(options)
  const { asks } = await conversation.open({ messages: 1 })
  const typed = words.join(" ")
  // A closed ask is sent to the server too, which reports the answer that won (TRN-12).
  const isGone = ref.startsWith("ask") && asks.every((ask) => ask.id !== ref)
  const ask = isGone ? undefined : findAsk(asks, ref)
  const answered = await conversation.answer(ask?.id ?? ref, ask ? readAnswer(ask, typed) : typed)
  return told(answered, options)
}

/** The server decides which one is open now: what is typed is only read in the form of the ask that was open before. */
export async function answerOpen(words: readonly string[], options: AskOptions): Promise<number> {
  const conversation = await conversationOf(options)
  const { asks } = await conversation.open({ messages: 1 })
  const typed = words.join(" ")
  const [ask, ...others] = asks
  const read = ask !== undefined && others.length === 0 ? readAnswer(ask, typed) : typed
  return told(await conversation.answerOpen(read), options)
}

async function told(row: AskRow, { terminal }: AskOptions): Promise<number> {
  await terminal.report(`Answered ${plain(row.id)}: ${plainJson(JSON.stringify(row.answer))}`, row)
  return 0
}
