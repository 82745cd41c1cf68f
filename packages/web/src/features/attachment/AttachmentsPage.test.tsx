import type { Parlor } from "@parlor/client"
import { type ListedAttachment, limits } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { problemWords } from "../status/problemWords.ts"
import { AttachmentList } from "./AttachmentList.tsx"
import { AttachmentsPage } from "./AttachmentsPage.tsx"
import type { Shelf } from "./attachmentsView.ts"
import { Opened } from "./Opened.tsx"
import type { OpenedState } from "./useOpened.ts"

const never = () => {
  throw new Error("nobody pressed anything")
}
const cat: ListedAttachment = {
  hash: "a".repeat(64),
  name: "cat.png",
  mediaType: "image/png",
  bytes: 2_048,
  at: Date.UTC(2026, 0, 2),
}
const notes: ListedAttachment = { ...cat, hash: "b".repeat(64), name: "notes.txt", mediaType: "text/plain" }

function listed(attachments: readonly ListedAttachment[], change: Partial<Shelf> = {}, isLoadingMore = false) {
  const shelf = { attachments: [...attachments], bytes: 4_096, most: limits.attachedBytes, hasMore: false, ...change }
  return renderToStaticMarkup(
    <AttachmentList
      attachments={{ read: never }}
      shelf={shelf}
      isLoadingMore={isLoadingMore}
      onMore={never}
      onDelete={never}
      onEmptied={never}
    />,
  )
}

describe("the page of attachments", () => {
  it("[CMP-15] [TAB-27] has its title, the way back to the conversation, and says that it is loading", () => {
    const parlor = { attachments: { list: never } } as unknown as Parlor
    const html = renderToStaticMarkup(
      <AttachmentsPage parlor={parlor} agent="critic" branch="redder" onRefused={never} />,
    )
    expect(html).toMatch(/<h1[^>]*>Attachments<\/h1>/)
    expect(html).toMatch(/href="#\/critic\/redder" aria-label="Back to critic"/)
    expect(html).toContain("Loading…")
    expect(html).not.toContain("taken")
    expect(html).not.toContain('role="alert"')
  })

  it("[CMP-15] lists each in the order given, with what it is, how large, and when", () => {
    const html = listed([cat, notes])
    expect(html).toMatch(/cat\.png.*PNG image · 2 KB · <time.*notes\.txt.*Text · 2 KB · <time/s)
    expect(html).toContain('<time dateTime="2026-01-02T00:00:00.000Z">')
    expect(html.match(/<li/g)).toHaveLength(2)
    expect(html).not.toContain("Load more")
  })

  it("[TAB-27] what one can press has a name that says of which: a picture is shown, anything else is saved", () => {
    const html = listed([cat, notes])
    const labels = [...html.matchAll(/<button[^>]* aria-label="([^"]+)"/g)].map(([, label]) => label)
    expect(labels).toEqual(["Show cat.png", "Delete cat.png", "Download notes.txt", "Delete notes.txt"])
    expect(html).not.toContain("<dialog")
  })

  it("[CMP-15] more are loaded on request, and only where there are more", () => {
    expect(listed([cat], { hasMore: true })).toMatch(/<button(?![^>]*disabled="")[^>]*>Load more<\/button>/)
    expect(listed([cat], { hasMore: true }, true)).toMatch(/<button[^>]*disabled=""[^>]*>Loading…<\/button>/)
  })

  it("[CMP-15] without any, teaches how to attach, what, and how much", () => {
    const html = listed([])
    for (const words of ["No attachments yet", "paperclip", "drop", "paste", "up to 20 MB each", "1 GB in total"])
      expect(html).toContain(words)
    expect(html).not.toContain("<li")
  })

  it("[SEC-6] names and types are text, whatever they hold", () => {
    const evil = "<img src=x onerror=alert(1)>"
    expect(listed([{ ...cat, name: evil, mediaType: evil }])).not.toContain("<img")
  })
})

describe("an attachment that is opened", () => {
  const state: OpenedState = { act: "showName", isLoading: false, picture: undefined, problem: undefined, open: never }
  const shown = (change: Partial<OpenedState>) =>
    renderToStaticMarkup(<Opened opened={{ ...state, ...change }} name="cat.png" />)

  it("[CMP-15] shows its picture, with its name for whoever cannot see it", () => {
    expect(shown({})).toBe("")
    expect(shown({ picture: "blob:x" })).toMatch(/<img src="blob:x" alt="cat\.png"/)
  })

  it("[CMP-15] says so when it is not there any more", () => {
    const { title } = problemWords({ code: "attachment.unknown", detail: "There is no attachment aaaa." })
    expect(shown({ problem: title })).toMatch(/role="alert"[^>]*>This attachment no longer exists</)
  })
})
