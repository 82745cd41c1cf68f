import type { MessageId, MessageRow, RollbackPreview } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Message } from "../message/Message.tsx"
import { ActsContext, type MessageActs } from "./acts.ts"
import { editingIn } from "./editing.ts"
import { PreviewList } from "./PreviewList.tsx"
import { fileWords, previewWords } from "./previewWords.ts"

const acts: MessageActs = { rollBack: () => {}, cancel: () => {}, branch: () => {} }

const row = (change: Partial<MessageRow> = {}): MessageRow => ({
  id: "msg_1" as MessageId,
  ord: 1,
  role: "person",
  author: "",
  turn: null,
  state: "done",
  parts: [{ type: "text", text: "hi" }],
  composer: null,
  inbox: null,
  trigger: null,
  dimmed: false,
  editedFrom: null,
  usage: null,
  at: 0,
  ...change,
})

const labels = (message: MessageRow, given: MessageActs | undefined = acts) =>
  [
    ...renderToStaticMarkup(
      <ActsContext value={given}>
        <Message message={message} agent="host" named />
      </ActsContext>,
    ).matchAll(/<button[^>]*aria-label="([^"]*)"/g),
  ].map(([, label]) => label)

describe("what can be done about a message", () => {
  it("[RBK-1] [BRA-3] one rolls back to one's own, and branches from any that is settled", () => {
    const branching = ["Branch from here", "Ask aside", "Copy message"]
    expect(labels(row())).toEqual(["Roll back to here", "Edit and send again", ...branching])
    expect(labels(row({ role: "agent" }))).toEqual(branching)
    expect(labels(row({ dimmed: true }))).toEqual(branching)
    expect(labels(row({ role: "agent", state: "streaming" }))).toEqual([])
    expect(renderToStaticMarkup(<Message message={row()} agent="host" named />)).not.toContain("<button")
  })

  it("[RBK-1] what is dimmed shows at 40 %", () => {
    expect(renderToStaticMarkup(<Message message={row({ dimmed: true })} agent="host" named />)).toContain("opacity-40")
    expect(renderToStaticMarkup(<Message message={row()} agent="host" named />)).not.toContain("opacity-40")
  })
})

describe("a preview", () => {
  const preview: RollbackPreview = {
    count: 3,
    messages: [{ id: "m" as MessageId, ord: 3, role: "agent", author: "", at: 0, text: "About bread" }],
    files: [
      { path: "a.txt", change: "restored", conflict: true, diff: "@@ -1 +1 @@\n-now\n+then" },
      { path: "b.txt", change: "kept", conflict: true, diff: null },
    ],
  }

  it("[RBK-4] [RBK-7] says what dims, what becomes of the files, and which were edited by hand", () => {
    expect(previewWords(preview)).toBe("3 messages dim, 2 files change.")
    expect(previewWords({ count: 1, files: [] })).toBe("1 message dims, no file changes.")
    expect(preview.files.map(fileWords)).toEqual([
      "goes back to what it was; edited by hand, a copy is kept",
      "stays: too large to keep a copy of",
    ])
    expect(previewWords(preview, "conversation")).toBe("3 messages dim, no file changes.")
    expect(previewWords(preview, "files")).toBe("No message dims, 2 files change.")
    const html = renderToStaticMarkup(<PreviewList preview={preview} agent="host" />)
    expect(html).toContain("+then")
    const messagesOnly = renderToStaticMarkup(<PreviewList preview={preview} agent="host" scope="conversation" />)
    expect([messagesOnly.includes("About bread"), messagesOnly.includes("a.txt")]).toEqual([true, false])
    const filesOnly = renderToStaticMarkup(<PreviewList preview={preview} agent="host" scope="files" />)
    expect([filesOnly.includes("About bread"), filesOnly.includes("a.txt")]).toEqual([false, true])
    expect(html).toContain("… and 2 before these")
    expect(html).toContain("About bread")
  })

  it("[SEC-6] what it shows is text, whatever it holds", () => {
    const evil = "<img src=x onerror=alert(1)>"
    const [message] = preview.messages
    const html = renderToStaticMarkup(
      <PreviewList
        agent={evil}
        preview={{
          count: 1,
          messages: message === undefined ? [] : [{ ...message, text: evil }],
          files: [{ path: evil, change: "removed", conflict: false, diff: `-${evil}` }],
        }}
      />,
    )
    expect(html).not.toContain("<img")
  })
})

it("[RBK-3] which message is being edited is kept for each conversation, also in a browser that keeps nothing", () => {
  const kept = new Map<string, string>()
  const editing = editingIn({
    read: (key) => kept.get(key),
    write: (key, value) => (value === undefined ? kept.delete(key) : kept.set(key, value)),
  })
  editing.write("host/main", "msg_1")
  expect([editing.read("host/main"), editing.read("host/other")]).toEqual(["msg_1", undefined])
  editing.write("host/main", undefined)
  expect(editing.read("host/main")).toBeUndefined()
  const forgetful = editingIn({ read: () => undefined, write: () => {} })
  forgetful.write("host/main", "msg_1")
  expect(forgetful.read("host/main")).toBe("msg_1")
})
