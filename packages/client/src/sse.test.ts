import fc from "fast-check"
import { expect, test } from "vitest"
import { type ServerEvent, SseParser } from "./sse.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function parse(chunks: readonly Uint8Array[]): readonly ServerEvent[] {
  const parser = new SseParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

const wire = [
  ": keep-alive",
  "",
  "event: data",
  'data: [{"text":"héllo 👋 \\n"},',
  "data: 2]",
  "",
  "event:control",
  'data:{"upToDate":true}',
  "id: 4",
  "",
  "data",
  "",
  "event: data",
  "data: unfinished",
]
const expected = [
  { event: "data", data: '[{"text":"héllo 👋 \\n"},\n2]' },
  { event: "control", data: '{"upToDate":true}' },
  { event: "message", data: "" },
]

test.each(["\n", "\r\n", "\r"])("[LOG-6] a stream cut after every byte gives the same events (%j)", (end) => {
  const bytes = bytesOf(wire.join(end))
  expect(parse([bytes])).toEqual(expected)
  expect(parse(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected)
})

test("[LOG-6] a stream cut anywhere gives the same events", () => {
  const ends = fc.constantFrom("\n", "\r\n", "\r")
  const text = fc.tuple(...wire.map(() => ends)).map((chosen) => wire.map((line, at) => line + chosen[at]).join(""))
  fc.assert(
    fc.property(text, fc.array(fc.nat(200)), (whole, sizes) => {
      const bytes = bytesOf(whole)
      const chunks: Uint8Array[] = []
      let at = 0
      for (const size of sizes) {
        chunks.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(parse([...chunks, bytes.subarray(at)])).toEqual(parse([bytes]))
    }),
  )
})
