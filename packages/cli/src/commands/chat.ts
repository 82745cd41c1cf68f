import { type Conversation, ParlorError } from "@parlor/client"
import { JsonTelling } from "../chat/json-telling.ts"
import { LiveChat } from "../chat/live-chat.ts"
import { pipedChat } from "../chat/piped-chat.ts"
import { Telling } from "../chat/telling.ts"
import { processTty } from "../chat/tty.ts"
import { Complaint } from "../complaint.ts"
import { noteConfig } from "../config-notes.ts"
import { type ConversationOptions, connect, conversationOf, hint } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ChatOptions = ConversationOptions & { readonly messages: string; readonly terminal: Terminal }

export async function chat(options: ChatOptions): Promise<number> {
  const { terminal } = options
  const count = Number(options.messages)
  if (!Number.isInteger(count) || count < 0) throw new Complaint("--messages must be a whole number.")
  const parlor = connect(options)
  const agents = (await parlor.agents()).map(({ name }) => name)
  const conversation = await conversationOf(options)
  const { agent } = conversation
  await noteConfig(parlor, terminal)
  await openOrBegin(conversation, terminal)
  const live = conversation.live({ messages: Math.max(1, count) })
  const { stdin, stdout } = process
  const isLive = stdin.isTTY === true && stdout.isTTY === true && !terminal.isJson
  const showsHistory = count > 0
  const isStyled = terminal.isInteractive && !process.env.NO_COLOR
  const telling = new Telling({ agent, isStyled, showsHistory })
  try {
    if (isLive) return await new LiveChat({ live, telling, agents, isStyled, tty: processTty(stdin, stdout) }).run()
    const printed = terminal.isJson ? new JsonTelling({ showsHistory }) : telling
    return await pipedChat({ live, telling: printed, agents, askHint: hint("ask", options), input: stdin, terminal })
  } finally {
    live.close()
    stdin.destroy()
  }
}

/** A branch that does not exist yet is created. The note is there because the name may be a typo. */
async function openOrBegin(conversation: Conversation, terminal: Terminal): Promise<void> {
  try {
    await conversation.open({ messages: 1 })
  } catch (error) {
    if (!(error instanceof ParlorError && error.code === "conversation.unknown")) throw error
    await conversation.make()
    terminal.note(`Starting a new conversation: ${conversation.agent}/${conversation.branch}.`)
  }
}
