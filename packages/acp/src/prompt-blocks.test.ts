import { describe, expect, it } from "vitest"
import { promptBlocks } from "./prompt-blocks.ts"

const prompt = { files: [], attachments: [], folder: "/work", missed: "" }
const image = { name: "a.png", mediaType: "image/png", data: new Uint8Array([1, 2]) }

describe("[HST-2] a prompt as content blocks", () => {
  it("is the text alone, if there is nothing else", () => {
    expect(promptBlocks(prompt, { text: "hi", background: "" })).toEqual([{ type: "text", text: "hi" }])
  })

  it("begins with what the session does not know, unless it is a command", () => {
    const told = { text: "hi", background: "Be brief." }
    const [first, second] = promptBlocks({ ...prompt, missed: "## Guest critic\nNo." }, told)
    expect(first).toMatchObject({ text: expect.stringMatching(/^Be brief\.[\s\S]*Guest critic/) })
    expect(second).toEqual({ type: "text", text: "hi" })
    expect(promptBlocks(prompt, { text: "/init here", background: "Be brief." })).toEqual([
      { type: "text", text: "/init here" },
    ])
  })

  it("links files, and sends attachments that the agent accepts", () => {
    const files = [{ path: "src/a b.ts", from: 3, to: 9 }]
    const told = { text: "look", background: "" }
    expect(promptBlocks({ ...prompt, files }, told)[1]).toEqual({
      type: "resource_link",
      name: "src/a b.ts",
      uri: "file:///work/src/a%20b.ts#L3",
    })
    const withImage = { ...prompt, attachments: [image] }
    expect(promptBlocks(withImage, told, { image: true })[1]).toEqual({
      type: "image",
      mimeType: "image/png",
      data: "AQI=",
    })
    expect(promptBlocks(withImage, told)[1]).toEqual({
      type: "text",
      text: "[a.png: image/png, which you cannot read]",
    })
    expect(promptBlocks(withImage, told, { embeddedContext: true })[1]).toMatchObject({
      type: "resource",
      resource: { uri: "attachment:///a.png", blob: "AQI=" },
    })
  })
})
