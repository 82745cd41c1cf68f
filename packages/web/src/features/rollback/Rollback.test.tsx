import type { Conversation } from "@parlor/client"
import type { MessageId, MessageRow, RollbackPreview } from "@parlor/protocol"
import { messageOf } from "@parlor/protocol/testing"
import { useContext } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, describe, expect, it, vi } from "vitest"
import { Message } from "../timeline/Message.tsx"
import { Acting } from "./Acting.tsx"
import { ActsContext, type MessageActs } from "./acts.ts"
import { CutLine } from "./CutLine.tsx"
import { editingIn } from "./editing.ts"
import { PreviewList } from "./PreviewList.tsx"
import { fileWords, previewWords } from "./previewWords.ts"
import { RollbackDialog } from "./RollbackDialog.tsx"

const nothing = () => {}
const acts: MessageActs = {
  rollBack: nothing,
  cancel: nothing,
  branch: nothing,
  edit: nothing,
  tryAgain: nothing,
  proceed: nothing,
  rate: nothing,
}

const row = (change: Partial<MessageRow> = {}) => messageOf("msg_1", 1, "hi", { role: "person", ...change })

const labels = (message: MessageRow, given: MessageActs | undefined = acts) =>
  [
    ...renderToStaticMarkup(
      <ActsContext value={given}>
        <Message message={message} agent="host" named />
      </ActsContext>,
    ).matchAll(/<button[^>]*aria-label="([^"]*)"/g),
  ].map(([, label]) => label)

describe("what can be done about a message", () => {
  it("[MSG-2] one's own are edited, replies are regenerated, and both are copied", () => {
    const more = "More actions for this message"
    expect(labels(row())).toEqual(["Edit", "Copy message", more])
    expect(labels(row({ role: "agent" }))).toEqual(["Copy message", "Good reply", "Bad reply", "Regenerate", more])
    expect(labels(row({ dimmed: true }))).toEqual(["Copy message", more])
    expect(labels(row({ role: "agent", state: "streaming" }))).toEqual([])
    expect(renderToStaticMarkup(<Message message={row()} agent="host" named />)).not.toContain("<button")
  })

  it("[RBK-1, MSG-12] what is dimmed is muted, and still has the contrast of text", () => {
    const shown = (dimmed: boolean) => renderToStaticMarkup(<Message message={row({ dimmed })} agent="host" named />)
    expect(shown(true)).toMatch(/<article[^>]*text-muted/)
    expect(shown(true)).not.toContain("opacity-40")
    expect(shown(false)).not.toMatch(/<article[^>]*text-muted/)
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
    expect(previewWords(preview)).toBe("3 messages will be hidden, 2 files will change.")
    expect(previewWords({ count: 1, files: [] })).toBe("1 message will be hidden, no files will change.")
    expect(preview.files.map(fileWords)).toEqual([
      "will go back to its earlier version; edited by hand, a copy will be kept",
      "won't change: too large to keep a copy of",
    ])
    expect(previewWords(preview, "conversation")).toBe("3 messages will be hidden, no files will change.")
    expect(previewWords(preview, "files")).toBe("No messages will be hidden, 2 files will change.")
    const html = renderToStaticMarkup(<PreviewList preview={preview} agent="host" />)
    expect(html).toContain("+then")
    const messagesOnly = renderToStaticMarkup(<PreviewList preview={preview} agent="host" scope="conversation" />)
    expect([messagesOnly.includes("About bread"), messagesOnly.includes("a.txt")]).toEqual([true, false])
    const filesOnly = renderToStaticMarkup(<PreviewList preview={preview} agent="host" scope="files" />)
    expect([filesOnly.includes("About bread"), filesOnly.includes("a.txt")]).toEqual([false, true])
    expect(html).toContain("… and 2 earlier")
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

describe("asking before it is done", () => {
  const conversation = { agent: "host", branch: "main" } as unknown as Conversation
  const dialog = () =>
    renderToStaticMarkup(
      <RollbackDialog conversation={conversation} message={row()} onDone={nothing} onClose={nothing} />,
    )

  it("[RBK-4] nothing can be agreed to before it is seen, and what came after is said to stay", () => {
    expect(dialog()).toMatch(/<dialog aria-label="Roll back".*you can still read them.*role="status">Checking…/)
    expect(dialog()).toMatch(/Cancel<\/button><button type="submit"[^>]*disabled="">Roll back</)
  })

  it("[RBK-4] [RBK-7] one file is unfolded, a conflict is marked, and what cannot be compared says so", () => {
    const file = { path: "a.bin", change: "removed", conflict: true, diff: null } as const
    const listed = (files: RollbackPreview["files"]) =>
      renderToStaticMarkup(<PreviewList preview={{ count: 0, messages: [], files }} agent="host" />)
    expect(listed([file])).toMatch(
      /<details open.*text-warn.*will be deleted; edited by hand, a copy will be kept.*No diff/,
    )
    expect(listed([file, { ...file, path: "b", change: "recreated", conflict: false }])).not.toContain("<details open")
    expect(listed([{ ...file, change: "kept" }])).not.toMatch(/Not compared|a copy is kept/)
    expect(listed([])).toContain("No messages will be hidden, no files will change.")
    expect(listed([])).not.toContain("<ul")
  })

  it("[RBK-4] each message that dims says whose it was", () => {
    const of = (role: "person" | "agent", author: string, text: string) =>
      ({ id: `${role}${author}` as MessageId, ord: 1, role, author, at: 0, text }) as const
    const messages = [of("person", "", "Hi"), of("agent", "", ""), of("agent", "critic", "No")]
    const html = renderToStaticMarkup(<PreviewList preview={{ count: 3, messages, files: [] }} agent="host" />)
    expect(html.replace(/<[^>]+>/g, "")).toContain("You: Hihost: (tools only)critic: No")
    expect(html).not.toContain("earlier")
  })
})

describe("the line at the cut", () => {
  const line = (cancel: string | undefined, given?: MessageActs, count = 7) =>
    renderToStaticMarkup(
      <ActsContext value={given}>
        <CutLine
          cut={{ kind: "cut", id: "cut r", words: "Rolled back", count, isOpen: false, cancel }}
          onOpen={nothing}
        />
      </ActsContext>,
    )

  it("[RBK-1, RBK-6] says how many it hides, and can be canceled when it is the newest, by somebody who may", () => {
    expect(line("r", acts)).toMatch(/7 messages rolled back<.*>Show<.*Cancel rollback<\/button>/)
    expect(line("r", acts, 1)).toContain("1 message rolled back")
    expect(line("r", acts, 0)).not.toContain("Show")
    expect([line(undefined, acts), line("r")].some((html) => html.includes("Cancel rollback"))).toBe(false)
  })
})

describe("what the messages are given", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it("[BRA-3] [RBK-6] branching opens the branch, canceling tells that it is canceled", async () => {
    const did: unknown[] = []
    const page = { location: { hash: "" } }
    vi.stubGlobal("window", page)
    const conversation = {
      agent: "host",
      branch: "main",
      branches: {
        make: async (asked: object) => {
          did.push(asked)
          return { agent: "host", branch: "new" }
        },
      },
      rollbacks: { cancel: async (id: string) => void did.push(id) },
    } as unknown as Conversation
    let given: MessageActs | undefined
    const Probe = () => {
      given = useContext(ActsContext)
      return "the messages"
    }
    const canceled = vi.fn()
    const html = renderToStaticMarkup(
      <Acting
        conversation={conversation}
        messages={[]}
        inputOf={() => ({ source: "" })}
        onSend={async () => {}}
        onProceed={async () => {}}
        onCanceled={canceled}
      >
        <Probe />
      </Acting>,
    )
    expect(html).toBe("the messages")
    given?.branch(row(), false)
    await vi.waitFor(() => expect(page.location.hash).toBe("#/host/new"))
    given?.cancel("rbk_1")
    await vi.waitFor(() => expect(canceled).toHaveBeenCalledTimes(1))
    expect(did).toEqual([{ from: "msg_1" }, "rbk_1"])
  })
})
