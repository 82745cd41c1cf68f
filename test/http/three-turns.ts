/** A conversation with three questions and their replies, and helpers to read it. */
import { says } from "@parlor/core/testing"
import type { Snapshot } from "@parlor/protocol"
import { ask, type Target } from "./client.ts"
import { converse, open } from "./conversations.ts"
import type { TestServer } from "./server.ts"

export async function threeTurns(server: TestServer, path: string): Promise<void> {
  await ask(server, "PUT", path)
  for (const number of [1, 2, 3]) {
    server.script(says(`a${number}`))
    await converse(server, path, `q${number}`)
  }
}

/** Dimmed messages are in brackets. */
export function shown({ messages }: Snapshot): readonly string[] {
  return messages.map((message) => {
    const text = message.parts.map((part) => ("text" in part ? part.text : "")).join("")
    return message.dimmed ? `(${text})` : text
  })
}

/** The id of the last message with this text. */
export async function idIn(target: Target, path: string, text: string): Promise<string> {
  const { messages } = await open(target, path)
  const found = messages.findLast(({ parts }) => parts.some((part) => "text" in part && part.text === text))
  return found?.id ?? `no message ${text}`
}
