/**
 * Chats that name no conversation. Their client resends everything it knows, so what was said up to a reply leads back
 * to the conversation that has it.
 */
import { createHash } from "node:crypto"
import { comparable, type Said } from "@parlor/adapters"
import type { Runtime } from "@parlor/core"
import type { TxId } from "@parlor/protocol"

type Chat = { readonly person: string; readonly agent: string; readonly said: readonly Said[] }

/** Called when the client has the reply that `said` ends with. */
export async function rememberChat(runtime: Runtime, chat: Chat, branch: string, txid: TxId): Promise<void> {
  const key = keyOf(chat)
  await runtime.keepAnswer(chat.person, { key, hash: key, answer: branch }, txid)
}

/** The branch of a chat with this history. */
export async function rememberedChat(runtime: Runtime, chat: Chat, txid: TxId): Promise<string | undefined> {
  if (chat.said.at(-1)?.role !== "assistant") return undefined
  return (await runtime.keptAnswer(chat.person, keyOf(chat), txid))?.answer
}

function keyOf({ agent, said }: Chat): string {
  const hash = createHash("sha256").update(agent)
  for (const { role, text } of said) hash.update(`\n${role}\n${comparable(text)}`)
  return `openai chat ${hash.digest("base64url")}`
}
