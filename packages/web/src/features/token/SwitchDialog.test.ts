import { expect, it } from "vitest"
import { unsentWords } from "./SwitchDialog.tsx"

it("[SEC-37] unsent text is named by its conversations, and many are counted", () => {
  expect(unsentWords(["host/main"])).toBe("host/main")
  expect(unsentWords(["a/main", "b/main", "c/main"])).toBe("a/main, b/main, c/main")
  expect(unsentWords(["a/main", "b/main", "c/main", "d/main", "e/main"])).toBe("a/main, b/main, c/main and 2 more")
})
