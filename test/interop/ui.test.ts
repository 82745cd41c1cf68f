/** `useChat`'s own classes against a real server, version 6 (API-1 to API-4). */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Chat } from "./chat.ts"
import { uiCases } from "./ui-cases.ts"

describe("a chat of the AI SDK 6", () => {
  uiCases({ sdk: 6, newChat: () => (server, init) => new Chat(server, init) })
})

it("[API-1] the guide's code is what these tests run", () => {
  const guide = readFileSync(new URL("../../docs/guides/use-chat.md", import.meta.url), "utf8")
  const code = readFileSync(new URL("./parlor-chat.ts", import.meta.url), "utf8")
  expect(/```ts\n([\s\S]*?)```/.exec(guide)?.[1]).toBe(code)
})
