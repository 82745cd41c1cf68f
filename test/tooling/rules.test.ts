import { expect, test } from "vitest"
import { checkRules } from "../../scripts/rules.mjs"

const spec = new Map([["docs/spec/queue.md", "- **QUE-1** One.\n- **QUE-2** Two, unlike QUE-1.\n"]])
const none = new Map<string, string>()
/** Written apart, so that the check of this repository does not take these for quotes of its own. */
const quote = (...ids: string[]) => `test("[${ids.join(", ")}] it works")`

test("rules that tests quote are counted once", () => {
  const tests = new Map([["a.test.ts", quote("QUE-1") + quote("QUE-1")]])
  const { stated, quoted, wrong } = checkRules({ spec, tests, sources: none })
  expect([...stated.keys()]).toEqual(["QUE-1", "QUE-2"])
  expect([...quoted]).toEqual(["QUE-1"])
  expect(wrong).toEqual([])
})

test("a test that quotes an unknown rule is caught", () => {
  const tests = new Map([["a.test.ts", quote("QUE-1", "QUE-9") + quote("NOT-1")]])
  const { wrong } = checkRules({ spec, tests, sources: none })
  expect(wrong).toEqual([
    "a.test.ts: quotes QUE-9, which docs/spec does not state",
    "a.test.ts: quotes NOT-1, which docs/spec does not state",
  ])
})

test("a comment that cites an unknown rule is caught, other words with numbers are not", () => {
  const sources = new Map([["a.ts", "// QUE-7, but not SHA-256"]])
  const { wrong } = checkRules({ spec, tests: none, sources })
  expect(wrong).toEqual(["a.ts: cites QUE-7, which docs/spec does not state"])
})

test("a rule stated twice is caught", () => {
  const twice = new Map([...spec, ["docs/spec/turn.md", "- **QUE-2** Again.\n"]])
  expect(checkRules({ spec: twice, tests: none, sources: none }).wrong).toHaveLength(1)
})
