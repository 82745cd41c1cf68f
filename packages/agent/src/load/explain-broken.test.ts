import { expect, test } from "vitest"
import { explainBroken } from "./explain-broken.ts"

const file = "/home/ana/bots/parlor.config.ts"
const tools = "/home/ana/bots/lib/tools.ts"

function failed(message: string, frames: readonly string[]): Error {
  const error = new Error(message)
  error.stack = [`Error: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join("\n")
  return error
}

test.each([
  [
    "a mistake in the syntax",
    failed(`ParseError: Unexpected token  \n ${file}:3:5`, []),
    "parlor.config.ts:3: Unexpected token",
  ],
  [
    "an error in what it imports",
    failed("No.", ["defineAgent (/srv/parlor/agent.js:1:1)", `make (${tools}:7:9)`, `${file}:2:1`]),
    "lib/tools.ts:7: No.",
  ],
  [
    "something that is not there",
    failed(`Cannot find module './gone.ts'\nRequire stack:\n- ${file}`, ["Module._load (node:internal:1:1)"]),
    "parlor.config.ts: Cannot find module './gone.ts'",
  ],
  ["an error from nowhere", failed("Odd.", ["x (node:internal:1:1)"]), "parlor.config.ts: Odd."],
  ["what is no error", "odd", "parlor.config.ts: odd"],
])("%s is told with its place", (_, error, said) => {
  expect(explainBroken(error, file, [file, tools], "/home/ana/bots")).toBe(said)
  expect(explainBroken(error, file, [file, tools], "/tmp")).toMatch(/^\/home\/ana\/bots\//)
})
