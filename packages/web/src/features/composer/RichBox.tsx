import type { Editor } from "@tiptap/core"
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react"
import { attachedTo, inputOf, positionIn } from "../draft/doc.ts"
import { ownDrafts } from "../draft/draft.ts"
import { useOwnPart } from "../keep/OwnContext.ts"
import type { BoxProps } from "./box.ts"
import { contentOf, insertChip, makeEditor, newLine, placeCaret, replaceContent, triggerOf } from "./editor.ts"

/** The rich editor, in its own chunk. It starts with the draft, caret and focus of the plain box. */
export default function RichBox(props: BoxProps) {
  const { conversation, label, placeholder, describedBy, box, acts, handover, picker, input } = props
  const drafts = useOwnPart(ownDrafts)
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const latest = useRef(props)
  latest.current = props
  /** What this box last wrote or showed; a draft that differs was changed elsewhere. */
  const shown = useRef(input)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for the lifetime of the box
  useLayoutEffect(() => {
    if (place.current === null) return
    const start = drafts.read(conversation)
    const made = makeEditor({
      element: place.current,
      input: start,
      label,
      placeholder,
      describedBy,
      className: "composer-box",
      onChange: (doc) => {
        shown.current = inputOf(doc, attachedTo(drafts.read(conversation)))
        latest.current.onChange(shown.current)
      },
      onCaret: () => editor.current && latest.current.onTrigger(triggerOf(editor.current)),
      onKey: (event) => latest.current.onKey(event),
      onFiles: (files) => latest.current.onFiles(files),
    })
    editor.current = made
    shown.current = start
    box.current = made.view.dom
    const from = handover.current
    if (from !== undefined) placeCaret(made, positionIn(start, from.start), positionIn(start, from.end))
    else placeCaret(made, made.state.doc.content.size, made.state.doc.content.size)
    if (from?.isFocused) made.view.focus()
    const onBlur = () => latest.current.onTrigger(undefined)
    made.on("blur", onBlur)
    return () => {
      box.current = null
      editor.current = undefined
      made.destroy()
    }
  }, [])

  useImperativeHandle(
    acts,
    () => ({
      newLine: () => editor.current && newLine(editor.current),
      insert: (trigger, chip) => editor.current && insertChip(editor.current, trigger, chip),
    }),
    [],
  )

  // In the same task as the draft, so that the next key sees the new state.
  useLayoutEffect(() => {
    const now = editor.current
    if (now === undefined || input === shown.current) return
    shown.current = input
    // Attachments without a place in the text are not in the editor.
    if (JSON.stringify(inputOf(contentOf(now), attachedTo(input))) === JSON.stringify(input)) return
    replaceContent(now, input)
    latest.current.onTrigger(triggerOf(now))
  }, [input])

  useEffect(() => {
    const element = box.current
    if (element === null) return
    setOrDrop(element, "aria-controls", picker?.list)
    setOrDrop(element, "aria-activedescendant", picker?.active)
  }, [box, picker?.list, picker?.active])

  return <div ref={place} className="min-w-0 flex-1" />
}

function setOrDrop(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name)
  else element.setAttribute(name, value)
}
