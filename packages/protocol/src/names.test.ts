import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { limits } from "./limits.ts"
import { agentName, branchName, feedKey, fileName, personName } from "./names.ts"

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe("[ADR-5] names", () => {
  test("pass their schema unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const schema of [agentName, branchName, personName]) {
          const parsed = schema.safeParse(text)
          if (parsed.success) expect(parsed.data).toBe(text)
        }
      }),
    )
  })

  test("survive being a path segment of a URL", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        if (takes(branchName, text)) expect(decodeURIComponent(encodeURIComponent(text))).toBe(text)
      }),
    )
  })

  test.each(["host", "a", "1", "my-agent-2", "a".repeat(64)])("an agent may be %s", (name) => {
    expect(takes(agentName, name)).toBe(true)
  })

  test.each(["", "Host", "-a", "a-", "a_b", "a.b", "a/b", "ä", "a b", "a".repeat(65), 1, null, "a\n"])(
    "an agent may not be %j",
    (name) => {
      expect(takes(agentName, name)).toBe(false)
    },
  )

  test.each(["main", "a b", "100%", "日本語", "👩‍👩‍👧", "a:b", "a-b", "...", "<b>", "x".repeat(limits.nameLength)])(
    "a branch may be %s",
    (name) => {
      expect(takes(branchName, name)).toBe(true)
    },
  )

  test.each([
    "",
    " a",
    "a ",
    ".",
    "..",
    "a/b",
    "a\nb",
    "\u0000",
    "\u007f",
    "\u0085",
    "\u2028",
    "\ud800",
    "x".repeat(limits.nameLength + 1),
    7,
  ])("a branch may not be %j", (name) => {
    expect(takes(branchName, name)).toBe(false)
  })

  test.each(["me", "telegram:42", "a:b", "a-b", "a/b", " a ", "x".repeat(limits.personLength)])(
    "a person may be %j",
    (name) => {
      expect(takes(personName, name)).toBe(true)
    },
  )

  test.each(["", "a\r\nb", "\u0000", "\udc00", "x".repeat(limits.personLength + 1)])(
    "a person may not be %j",
    (name) => {
      expect(takes(personName, name)).toBe(false)
    },
  )
})

test("a file name has no folder and no control characters", () => {
  const names = ["a.txt", "größe 1.md", "..a", "a/b", "a\\b", "a\nb", "\u0085", ""]
  expect(names.map((name) => takes(fileName, name))).toEqual([true, true, true, false, false, false, false, false])
})

test("two conversations of a person never share a feed row", () => {
  const address = fc.record({
    agent: fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/),
    branch: fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => takes(branchName, name)),
  })
  fc.assert(
    fc.property(address, address, (a, b) => {
      expect(feedKey(a) === feedKey(b)).toBe(a.agent === b.agent && a.branch === b.branch)
    }),
  )
})
