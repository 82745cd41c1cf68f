import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { SourceSign } from "../message/SourceSign.tsx"
import { LateEdit } from "./LateEdit.tsx"
import { QueueEditor } from "./QueueEditor.tsx"
import { QueueHead } from "./QueueHead.tsx"
import type { Editor } from "./useEditing.ts"

const nothing = () => undefined
const editing = { id: "a", text: "Brown bread", base: "Bread" }
const editor: Editor = {
  isShared: false,
  editing,
  standing: { kind: "fits", version: 1 },
  open: nothing,
  change: nothing,
  save: nothing,
  take: nothing,
  close: nothing,
}
const edited = (more: Partial<Editor> = {}) => renderToStaticMarkup(<QueueEditor editor={{ ...editor, ...more }} />)

describe("the parts of the queue", () => {
  it("[TAB-8, QUE-5] the head counts, holds and resumes, and says why it is held", () => {
    const head = (held: Parameters<typeof QueueHead>[0]["held"]) =>
      renderToStaticMarkup(<QueueHead count={3} held={held} onHold={nothing} onResume={nothing} onClear={nothing} />)
    expect(head(null)).toMatch(/3 queued.*Pause.*Clear all/)
    expect(head({ reason: "error", since: 0 })).toMatch(/Queue paused after an error.*3 queued.*Resume/)
    expect(head({ reason: "error", since: 0 })).not.toMatch(/> Pause</)
  })

  it("[QUE-8] the editor has the text, and says that it does not start meanwhile", () => {
    expect(edited()).toMatch(/aria-label="Edit queued message"[^>]*>Brown bread<\/textarea>.*Save<.*won&#x27;t start/)
    expect(edited({ editing: { ...editing, text: " " } })).toMatch(/<button[^>]*disabled[^>]*>Save</)
  })

  it("[QUE-7] the editor shows what another window saved, and asks which to keep", () => {
    const html = edited({ standing: { kind: "changed", version: 2, theirs: "Green bread" } })
    expect(html).toMatch(/Changed in another window.*Green bread.*Use this version.*Save my version/)
  })

  it("[QUE-9] an edit that came too late says what happened, and keeps the words", () => {
    const late = (started: boolean) =>
      renderToStaticMarkup(<LateEdit editing={editing} started={started} onKeep={nothing} onDiscard={nothing} />)
    expect(late(true)).toMatch(/sent before your edit was saved.*Brown bread.*Move to message box/)
    expect(late(false)).toContain("removed in another window")
  })

  it("[QUE-13] where a message came from has a picture with a name", () => {
    for (const source of ["person", "schedule", "webhook", "self", "somewhere new"])
      expect(renderToStaticMarkup(<SourceSign source={source} from={`From ${source}`} />)).toMatch(
        new RegExp(`role="img" aria-label="From ${source}"`),
      )
  })
})
