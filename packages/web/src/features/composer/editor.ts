/** The editor: plain lines of text with chips, and nothing else that could be pasted. */

import type { Chip } from "@parlor/client"
import type { ComposerInput } from "@parlor/protocol"
import { Editor, type JSONContent } from "@tiptap/core"
import { Document } from "@tiptap/extension-document"
import { Paragraph } from "@tiptap/extension-paragraph"
import { Text } from "@tiptap/extension-text"
import { Placeholder } from "@tiptap/extensions/placeholder"
import { UndoRedo } from "@tiptap/extensions/undo-redo"
import { closeHistory } from "@tiptap/pm/history"
import { Fragment, Slice } from "@tiptap/pm/model"
import { EditorState, Selection, TextSelection } from "@tiptap/pm/state"
import type { EditorView } from "@tiptap/pm/view"
import { type DocContent, docOf } from "../draft/doc.ts"
import { ChipNode } from "./chipNode.ts"
import { OBJECT, type TypedSign, triggerIn } from "./picking.ts"

export type EditorOptions = {
  readonly element: HTMLElement
  readonly input: ComposerInput
  readonly label: string
  readonly placeholder: string
  readonly describedBy: string
  readonly className: string
  readonly onChange: (doc: DocContent) => void
  /** The caret or the text before it changed. */
  readonly onCaret: () => void
  /** Returns true when the key was handled. Not called during IME composition. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** The key code that signals IME composition. */
const COMPOSING_KEY = 229

export function makeEditor(options: EditorOptions): Editor {
  const { element, input, label, placeholder, describedBy, className } = options
  return new Editor({
    element,
    injectCSS: false,
    enableInputRules: false,
    enablePasteRules: false,
    coreExtensionOptions: { clipboardTextSerializer: { blockSeparator: "\n" } },
    extensions: [Document, Paragraph, Text, ChipNode, UndoRedo, Placeholder.configure({ placeholder })],
    content: docOf(input) as JSONContent,
    onUpdate: ({ editor }) => options.onChange(contentOf(editor)),
    onTransaction: () => options.onCaret(),
    editorProps: {
      attributes: {
        class: className,
        "aria-label": label,
        "aria-multiline": "true",
        "aria-describedby": describedBy,
        "aria-placeholder": placeholder,
        "aria-autocomplete": "list",
        "aria-haspopup": "listbox",
        enterkeyhint: "send",
        autocapitalize: "sentences",
      },
      clipboardTextParser: (text, _, __, view) => linesSlice(view, text),
      handleKeyDown: (view, event) => {
        if (event.isComposing || view.composing || event.keyCode === COMPOSING_KEY) return false
        return options.onKey(event)
      },
      handlePaste: (view, event) => pasted(view, event, options.onFiles),
      // Files are handled by the drop area around the box.
      handleDrop: (_, event) => (event.dataTransfer?.files.length ?? 0) > 0,
    },
  })
}

/** Replaces the content. Clears the undo history: the old content was sent or is part of the new one. */
export function replaceContent(editor: Editor, input: ComposerInput): void {
  const doc = editor.schema.nodeFromJSON(docOf(input))
  const { plugins } = editor.state
  editor.view.updateState(EditorState.create({ doc, plugins, selection: Selection.atEnd(doc) }))
}

export function contentOf(editor: Editor): DocContent {
  return editor.getJSON() as DocContent
}

export function placeCaret(editor: Editor, from: number, to: number): void {
  const { doc, tr } = editor.state
  const within = (position: number) => Math.max(1, Math.min(position, doc.content.size - 1))
  editor.view.dispatch(tr.setSelection(TextSelection.create(doc, within(from), within(to))))
}

export function newLine(editor: Editor): void {
  editor.chain().splitBlock().scrollIntoView().run()
}

/** Suggestions at the caret; none while a range is selected. */
export function triggerOf(editor: Editor): TypedSign | undefined {
  const { $head, empty } = editor.state.selection
  if (!empty || !editor.isFocused) return undefined
  return triggerIn($head.parent.textBetween(0, $head.parentOffset, undefined, OBJECT))
}

/** Replaces the word at the caret with a chip, followed by a space. */
export function insertChip(editor: Editor, trigger: TypedSign, chip: Chip): void {
  const { from, $head } = editor.state.selection
  const isSpaced = /^\s/.test(
    $head.parent.textBetween($head.parentOffset, $head.parent.content.size, undefined, OBJECT),
  )
  const content = [{ type: "chip", attrs: { chip } }, ...(isSpaced ? [] : [{ type: "text", text: " " }])]
  editor
    .chain()
    .focus(undefined, { scrollIntoView: false })
    .insertContentAt({ from: from - trigger.length, to: from }, content)
    .command(({ tr, dispatch }) => {
      if (isSpaced && dispatch) tr.setSelection(Selection.near(tr.doc.resolve(tr.selection.from + 1)))
      closeHistory(tr)
      return true
    })
    .scrollIntoView()
    .run()
  // Inserting a chip is its own undo step, even when typing continues quickly.
  editor.view.dispatch(closeHistory(editor.state.tr))
}

function pasted(view: EditorView, event: ClipboardEvent, onFiles: EditorOptions["onFiles"]): boolean {
  const data = event.clipboardData
  const files = [...(data?.files ?? [])]
  const html = data?.getData("text/html") ?? ""
  const text = data?.getData("text/plain") ?? ""
  // Office programs add an image of the text to the clipboard; a copied file comes with its name as text.
  if (files.length > 0 && (text === "" || html === "")) {
    onFiles(files)
    return true
  }
  // Text copied from this editor keeps its chips; anything else is pasted as plain text.
  if (text === "" || html.includes("data-pm-slice")) return false
  view.dispatch(view.state.tr.replaceSelection(linesSlice(view, text)).scrollIntoView().setMeta("paste", true))
  return true
}

/** One paragraph for each line, empty ones too. */
function linesSlice(view: EditorView, text: string): Slice {
  const { schema } = view.state
  const paragraphs = text
    .split(/\r\n?|\n/)
    .map((line) => schema.node("paragraph", null, line === "" ? [] : [schema.text(line)]))
  return new Slice(Fragment.from(paragraphs), 1, 1)
}
