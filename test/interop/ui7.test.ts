/** `useChat`'s own classes against a real server, version 7 on Node 22 (API-1 to API-4). */
import { afterAll, beforeAll, describe } from "vitest"
import { NODE22_TIMEOUT_MS } from "../support/node22.ts"
import { type Chats, startChats } from "./remote-chat.ts"
import { uiCases } from "./ui-cases.ts"

let chats: Chats
beforeAll(async () => {
  chats = await startChats()
}, NODE22_TIMEOUT_MS)
afterAll(() => chats.close())

describe("a chat of the AI SDK 7", () => {
  uiCases({ sdk: 7, newChat: () => chats.newChat })
})
