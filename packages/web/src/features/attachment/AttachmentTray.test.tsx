import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { AttachmentTray, type AttachmentTrayProps } from "./AttachmentTray.tsx"
import { DropArea } from "./DropArea.tsx"
import type { Upload } from "./uploads.ts"

const nothing = () => undefined
const upload = (change: Partial<Upload>): Upload => ({
  id: "u1",
  name: "a.png",
  bytes: 2_048,
  preview: undefined,
  state: "busy",
  note: undefined,
  mayRetry: false,
  ...change,
})
const tray = (change: Partial<AttachmentTrayProps>) =>
  renderToStaticMarkup(
    <AttachmentTray
      attached={[]}
      uploads={[]}
      preview={nothing}
      onDetach={nothing}
      onRetry={nothing}
      onRemove={nothing}
      {...change}
    />,
  )

describe("[TAB-10] what goes along with a message", () => {
  it("is not there when there is nothing", () => {
    expect(tray({})).toBe("")
  })

  it("shows what is attached, with its picture when this machine has it", () => {
    const one = { hash: "a".repeat(64), name: "a.png", mediaType: "image/png", bytes: 2_048 }
    const html = tray({ attached: [one], preview: (hash) => `blob:${hash.slice(0, 2)}` })
    expect(html).toMatch(/<img src="blob:aa" alt=""/)
    expect(html).toMatch(/a\.png.*2 KB.*aria-label="Remove a\.png"/s)
    expect(tray({ attached: [{ ...one, bytes: undefined }] })).not.toContain("<img")
  })

  it("shows what is on its way as busy, and what failed with the reason and what to do", () => {
    const busy = tray({ uploads: [upload({})] })
    expect(busy).toMatch(/aria-busy="true".*Uploading, 2 KB/s)
    expect(busy).not.toContain("Try a.png again")
    const note = { code: "network", detail: "http://… cannot be reached" }
    const failed = tray({ uploads: [upload({ state: "failed", note, mayRetry: true })] })
    expect(failed).toMatch(/role="alert".*The server cannot be reached\..*Try a\.png again.*Remove a\.png/s)
    const refused = upload({
      state: "failed",
      note: { code: "request.too-large", detail: "It has 34 MB; the most is 20 MB." },
    })
    expect(tray({ uploads: [refused] })).toContain("It has 34 MB; the most is 20 MB.")
    expect(tray({ uploads: [refused] })).not.toContain("Try a.png again")
  })
})

it("[TAB-10] a drop area shows what is in it, and nothing more until something hangs above it", () => {
  const html = renderToStaticMarkup(<DropArea onFiles={nothing}>inside</DropArea>)
  expect(html).toContain("inside")
  expect(html).not.toContain("Drop to attach")
})
