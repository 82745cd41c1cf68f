import { expect, test } from "vitest"
import { converse, open, pathOf, visible } from "./conversations.ts"
import { startTestServer } from "./server.ts"
test("smoke", async () => {
  const server = await startTestServer()
  const path = pathOf("host", "main")
  await converse(server, path, "Hello")
  expect(visible((await open(server, path)).messages)).toEqual([])
  await server.close()
})
