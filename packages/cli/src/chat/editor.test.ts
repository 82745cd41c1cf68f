import fc from "fast-check"
import { expect, test } from "vitest"
import { type Editor, emptyEditor, press, submitted, withText } from "./editor.ts"
import type { Key, KeyName } from "./keys.ts"

const type = (editor: Editor, ...keys: readonly (KeyName | `"${string}"`)[]): Editor =>
  keys.reduce((now, key) => press(now, toKey(key)), editor)
const toKey = (key: string): Key =>
  key.startsWith('"') ? { name: "text", text: key.slice(1, -1) } : { name: key as KeyName }
const shown = ({ text, cursor }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`

test("text is inserted at the cursor, and the cursor moves by visible characters", () => {
  const typed = type(emptyEditor, '"a👋🏽é b"')
  expect(shown(type(typed, "left", "left", "left", '"x"'))).toBe("a👋🏽x|é b")
  expect(shown(type(typed, "home", "right", "delete"))).toBe("a|é b")
  expect(shown(type(typed, "left", "left", "left", "backspace"))).toBe("a|é b")
  expect(shown(type(typed, "home", "left"))).toBe("|a👋🏽é b")
})

test("words and lines", () => {
  const typed = type(emptyEditor, '"one two"', "newline", '"three four"')
  expect(shown(type(typed, "word-left"))).toBe("one two\nthree |four")
  expect(shown(type(typed, "home"))).toBe("one two\n|three four")
  expect(shown(type(typed, "home", "word-right"))).toBe("one two\nthree| four")
  expect(shown(type(typed, "erase-word", "erase-word"))).toBe("one two\n|")
  expect(shown(type(typed, "home", "erase-after"))).toBe("one two\n|")
  expect(shown(type(typed, "home", "erase-before", "end"))).toBe("three four|")
})

test("history recalls earlier lines and returns to the current one", () => {
  const first = submitted(type(emptyEditor, '"one"'))
  const second = submitted(type(first, '"two"'))
  expect(submitted(type(second, '"two"')).history).toEqual(["one", "two"])
  const draft = type(second, '"dra"')
  expect(shown(type(draft, "up"))).toBe("two|")
  expect(shown(type(draft, "up", "up", "up"))).toBe("one|")
  expect(shown(type(draft, "up", "up", "down", "down", "down"))).toBe("dra|")
  expect(shown(withText(draft, "other"))).toBe("other|")
})

test("the cursor stays within the text, whatever is pressed", () => {
  const key: fc.Arbitrary<Key> = fc.oneof(
    fc
      .constantFrom<KeyName>("left", "right", "word-left", "word-right", "home", "end", "up", "down")
      .map((name) => ({ name })),
    fc
      .constantFrom<KeyName>("backspace", "delete", "erase-word", "erase-before", "erase-after", "newline")
      .map((name) => ({ name })),
    fc.string({ unit: "grapheme", minLength: 1 }).map((text) => ({ name: "text", text }) as const),
  )
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      const editor = keys.reduce(press, emptyEditor)
      expect(editor.cursor).toBeGreaterThanOrEqual(0)
      expect(editor.cursor).toBeLessThanOrEqual(editor.text.length)
      expect(editor.text.isWellFormed()).toBe(true)
    }),
  )
})
