import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { percentOf } from "../../ui/Progress.tsx"
import { pressable } from "../../ui/pressable.ts"
import { AttachButton } from "./AttachButton.tsx"
import { AttachmentTray, type AttachmentTrayProps } from "./AttachmentTray.tsx"
import { DropArea } from "./DropArea.tsx"
import { limitWords } from "./media.ts"
import type { Upload } from "./uploads.ts"

const nothing = () => undefined
const upload = (change: Partial<Upload>): Upload => ({
  id: "u1",
  name: "a.png",
  bytes: 2_048,
  preview: undefined,
  state: "busy",
  percent: undefined,
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
    expect(failed).toMatch(/role="alert".*Can&#x27;t reach the server\..*Retry a\.png.*Remove a\.png/s)
    const refused = upload({
      state: "failed",
      note: { code: "request.too-large", detail: "Too large (34 MB). The maximum is 20 MB." },
    })
    expect(tray({ uploads: [refused] })).toContain("Too large (34 MB). The maximum is 20 MB.")
    expect(tray({ uploads: [refused] })).not.toContain("Try a.png again")
  })

  it("[CMP-15] says where to make room when there is none", () => {
    const note = { code: "attachment.full", detail: "Your attachments use 1 GB of 1 GB." }
    expect(tray({ uploads: [upload({ state: "failed", note })] })).toMatch(
      /role="alert".*Your attachments use 1 GB of 1 GB\. To free up space, open Attachments/,
    )
  })
})

it("[TAB-10] a drop area shows what is in it, and nothing more until something hangs above it", () => {
  const html = renderToStaticMarkup(<DropArea onFiles={nothing}>inside</DropArea>)
  expect(html).toContain("inside")
  expect(html).not.toContain("Drop to attach")
})

describe("[TAB-10] how far an upload is", () => {
  it("is said in percent and has a value for screen readers, with the name of its file", () => {
    const html = tray({ uploads: [upload({ percent: 42 })] })
    expect(html).toContain("Uploading 42%, 2 KB")
    expect(html).toMatch(
      /role="progressbar" aria-label="Uploading a\.png" aria-valuemin="0" aria-valuemax="100" aria-valuenow="42"/,
    )
    expect(html).toContain('style="width:42%"')
  })

  it("is not made up: before anything went, where it cannot be known, and when it is over", () => {
    for (const one of [upload({}), upload({ state: "waiting" }), upload({ state: "failed", percent: 42 })])
      expect(tray({ uploads: [one] })).not.toMatch(/progressbar|%,/)
    expect([-1, 0, 0.5, 0.999, 1, 7].map(percentOf)).toEqual([0, 0, 50, 99, 100, 100])
  })
})

describe("[TAB-10] in every state", () => {
  it("one that waits for its turn is on its way like the one that is sent, with its picture dimmed", () => {
    const waiting = tray({ uploads: [upload({ state: "waiting", preview: "blob:1" })] })
    expect(waiting).toMatch(/aria-busy="true".*<img src="blob:1" alt="" class="[^"]*opacity-40/s)
    expect(tray({ uploads: [upload({ state: "failed", preview: "blob:1" })] })).not.toMatch(
      /class="size-full[^"]*opacity-40|aria-busy="true"/,
    )
  })

  it("one that failed without a reason still says that it did, and only a failed one is tried again", () => {
    expect(tray({ uploads: [upload({ state: "failed" })] })).toMatch(/role="alert"[^>]*>Upload failed\./)
    expect(tray({ uploads: [upload({ state: "waiting", mayRetry: true })] })).not.toContain("Try a.png again")
  })

  it("each button is for its own file", () => {
    const did: string[] = []
    const note = (act: string) => (id: string) => void did.push(`${act} ${id}`)
    const drawn = AttachmentTray({
      attached: [{ hash: "h1", name: "one.pdf", mediaType: "application/pdf", bytes: 1 }],
      uploads: [upload({ id: "u7", state: "failed", mayRetry: true }), upload({ id: "u8" })],
      preview: nothing,
      onDetach: note("detach"),
      onRetry: note("retry"),
      onRemove: note("remove"),
    })
    for (const press of pressable(drawn)) press()
    expect(did).toEqual(["detach h1", "retry u7", "remove u7", "remove u8"])
  })

  it("[SEC-6] a name is text, and a sound has a sign of its own", () => {
    const one = { hash: "a".repeat(64), name: "<b>.mp3", mediaType: "audio/mpeg", bytes: 10 }
    const html = tray({ attached: [one] })
    expect(html).toContain("&lt;b&gt;.mp3")
    expect(html).not.toBe(tray({ attached: [{ ...one, mediaType: "text/plain" }] }))
  })
})

it("[CMP-15] the paperclip says what it takes, and takes more than one", () => {
  const html = renderToStaticMarkup(<AttachButton onFiles={nothing} />)
  expect(html).toMatch(/<input type="file" multiple="" hidden="" aria-hidden="true" tabindex="-1"/i)
  expect(html).toContain(`aria-label="Attach files. ${limitWords()}"`)
})
