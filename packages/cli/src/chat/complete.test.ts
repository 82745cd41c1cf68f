import { expect, test } from "vitest"
import { complete } from "./complete.ts"
import { emptyEditor, withText } from "./editor.ts"

const names = { commands: ["help", "hold", "queue", "quit", "deploy"], agents: ["critic", "scribe"] }
const typed = (text: string, cursor = text.length) => complete({ ...withText(emptyEditor, text), cursor }, names)

test.each([
  ["/de", "/deploy "],
  ["/dep", "/deploy "],
  ["ask @cri", "ask @critic "],
  ["/qu", "/qu"],
  ["/h", "/h"],
  ["say /de", "say /de"],
  ["hello", "hello"],
  ["/xyz", "/xyz"],
])("[CLI-5] Tab after %j gives %j", (before, after) => {
  expect(typed(before).editor).toMatchObject({ text: after, cursor: after.length })
})

test("[CLI-5] several names are listed and completed as far as they agree", () => {
  expect(typed("/q").choices).toEqual(["/queue", "/quit"])
  expect(typed("/q").editor.text).toBe("/qu")
  expect(typed("@").choices).toEqual(["@critic", "@scribe"])
})

test("[CLI-5] what follows the cursor stays, and the cursor is after the word", () => {
  expect(typed("/de now", 3).editor).toMatchObject({ text: "/deploy now", cursor: 7 })
})
