import { expect, it } from "vitest"
import { callOutput } from "./result.ts"

it("[TRG-6] what a server returns is marked as untrusted, in words; what is no text is described", () => {
  const output = callOutput("notes", {
    content: [
      { type: "text", text: "one\u0000\ud800" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
      { type: "resource_link", uri: "note://a", name: "a" },
      { type: "resource", resource: { uri: "note://b", text: "two" } },
      { type: "hologram" },
    ],
  })
  expect(output).toEqual({
    from: "MCP server notes",
    untrusted: true,
    text: [
      "one\ufffd",
      "[image, image/png, 3 bytes]",
      "[resource note://a: a]",
      "[resource note://b]\ntwo",
      "[content of type hologram: not shown]",
    ].join("\n\n"),
    images: [{ type: "image", mimeType: "image/png", data: "AAAA" }],
  })
})

it("[TRG-6] structured output is not shown twice", () => {
  const structured = { degrees: 21 }
  const same = callOutput("sky", {
    content: [{ type: "text", text: '{"degrees": 21}' }],
    structuredContent: structured,
  })
  expect(same).toEqual({ from: "MCP server sky", untrusted: true, structured })
  const more = callOutput("sky", { content: [{ type: "text", text: "warm" }], structuredContent: structured })
  expect(more).toMatchObject({ structured, text: "warm" })
})

it("[TRG-6] what a server calls an error is thrown, in its words", () => {
  expect(() => callOutput("notes", { isError: true, content: [{ type: "text", text: "no such note" }] })).toThrow(
    "The MCP server notes says: no such note",
  )
  expect(() => callOutput("notes", { isError: true })).toThrow("It failed.")
})
