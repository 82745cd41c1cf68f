/**
 * Splits the bytes of an event stream into the payloads of its `data:` lines.
 *
 * Every `data:` line is one payload: this wire format never spreads one over several lines. Comments, blank lines and
 * other fields are skipped; lines end in LF or CRLF; a character may be split between chunks.
 */
import { StringDecoder } from "node:string_decoder"
import { brokenStreamFault } from "../faults.ts"

export type DataLines = {
  push(bytes: Buffer): void
  /** Emits a last line without a line break. */
  end(): void
}

const maxLineChars = 8_000_000

export function dataLines(onData: (payload: string) => void): DataLines {
  const decoder = new StringDecoder("utf8")
  let rest = ""
  let atStart = true

  function take(text: string, searched: number): void {
    let start = 0
    let end = text.indexOf("\n", searched)
    while (end !== -1) {
      takeLine(text, start, end)
      start = end + 1
      end = text.indexOf("\n", start)
    }
    rest = start === 0 ? text : text.slice(start)
    if (rest.length > maxLineChars) throw brokenStreamFault("a line of it is too long")
  }

  function takeLine(text: string, from: number, to: number): void {
    const start = atStart && text.charCodeAt(from) === byteOrderMark ? from + 1 : from
    atStart = false
    if (!text.startsWith("data:", start)) return
    const payload = text.charCodeAt(start + 5) === space ? start + 6 : start + 5
    const end = text.charCodeAt(to - 1) === carriageReturn ? to - 1 : to
    if (payload < end) onData(text.slice(payload, end))
  }

  return {
    push(bytes) {
      const text = decoder.write(bytes)
      if (text !== "") take(rest === "" ? text : rest + text, rest.length)
    },
    end() {
      const last = rest + decoder.end()
      rest = ""
      if (last !== "") takeLine(last, 0, last.length)
    },
  }
}

const space = 0x20
const carriageReturn = 0x0d
const byteOrderMark = 0xfeff
