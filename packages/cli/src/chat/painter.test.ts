import { expect, test } from "vitest"
import { Painter } from "./painter.ts"
import type { Screen } from "./screen.ts"

const screenOf = (...texts: readonly string[]): Screen => ({
  rows: texts.map((text) => ({ text, style: "plain" })),
  cursor: { row: texts.length - 1, column: 2 },
})

function stage() {
  const written: string[] = []
  let columns = 20
  const painter = new Painter(
    (text) => written.push(text),
    () => columns,
  )
  const resize = (to: number): void => {
    columns = to
  }
  return { painter, resize, take: () => written.splice(0).join("") }
}

test("finished rows are written once, above what is redrawn in its place", () => {
  const { painter, take } = stage()
  painter.paint(["one"], screenOf("status", "> a"))
  expect(take()).toContain("\r\u001b[Jone\r\nstatus\r\n> a\u001b[3G")
  painter.paint(["two"], screenOf("status", "> ab"))
  const second = take()
  expect(second).toContain("\r\u001b[1A\u001b[Jtwo\r\nstatus\r\n> ab")
  expect(second).not.toContain("one")
})

test("unchanged rows are not redrawn", () => {
  const { painter, take } = stage()
  painter.paint([], screenOf("status", "> a"))
  take()
  painter.paint([], screenOf("status", "> a"))
  expect(take()).toBe("")
})

test("after a resize it moves up over the rows that the terminal wrapped", () => {
  const { painter, resize, take } = stage()
  painter.paint([], screenOf("a status of nineteen", "> a"))
  take()
  resize(7)
  painter.paint([], screenOf("a st…", "> a"))
  expect(take()).toContain("\r\u001b[3A\u001b[J")
})
