import { type Conversation, ParlorError } from "@parlor/client"
import { LiveChat } from "../chat/live-chat.ts"
import { pipedChat } from "../chat/piped-chat.ts"
import { Telling } from "../chat/telling.ts"
import { processTty } from "../chat/tty.ts"
import { Complaint } from "../explain.ts"
import { type ConversationOptions, connect } from "../settings.ts"
import type { Terminal } from "../terminal.ts"

export type ChatOptions = ConversationOptions & { readonly messages: string; readonly terminal: Terminal }

export async function chat(options: ChatOptions): Promise<number> {
  const { agent, terminal } = options
  const count = Number(options.messages)
  if (!Number.isInteger(count) || count < 0) throw new Complaint("--messages must be a whole number.")
  const parlor = connect(options)
  const conversation = parlor.conversation(agent, options.branch)
  await openOrBegin(conversation, terminal)
  const agents = (await parlor.agents()).map(({ name }) => name)
  const live = conversation.live({ messages: Math.max(1, count) })
  const { stdin, stdout } = process
  const isLive = stdin.isTTY === true && stdout.isTTY === true
  const telling = new Telling({ agent, isStyled: terminal.isInteractive, showsHistory: count > 0 })
  try {
    if (isLive) return await new LiveChat({ live, telling, agents, tty: processTty(stdin, stdout) }).run()
    return await pipedChat({ live, telling, agents, input: stdin, terminal })
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
