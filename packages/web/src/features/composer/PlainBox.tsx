import { type ClipboardEvent, useImperativeHandle, useLayoutEffect, useRef } from "react"
import { useGrowing } from "../../ui/useGrowing.ts"
import { retyped } from "../draft/doc.ts"
import type { BoxProps } from "./box.ts"

export type PlainBoxProps = BoxProps & {
  /** An IME composition is in progress: don't replace this box now. */
  readonly onComposing: (isComposing: boolean) => void
}

/**
 * The box until the editor is loaded, with the same label, size and draft. The editor takes over its caret and focus.
 */
export function PlainBox(props: PlainBoxProps) {
  const { label, placeholder, describedBy, input, box, acts, handover, onChange, onKey, onFiles, onComposing } = props
  const area = useRef<HTMLTextAreaElement>(null)
  useGrowing(area, input.source)
  useLayoutEffect(() => {
    const element = area.current
    box.current = element
    return () => {
      // Runs before the element is removed, so this is its final state.
      if (element === null) return
      const isFocused = document.activeElement === element
      handover.current = { start: element.selectionStart, end: element.selectionEnd, isFocused }
    }
  }, [box, handover])
  useImperativeHandle(acts, () => ({ newLine: () => undefined, insert: () => undefined }), [])
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || event.clipboardData.getData("text/plain") !== "") return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <textarea
      ref={area}
      rows={1}
      value={input.source}
      onChange={(event) => onChange(retyped(input, event.target.value))}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || event.shiftKey) return
        if (onKey(event.nativeEvent)) event.preventDefault()
      }}
      onCompositionStart={() => onComposing(true)}
      onCompositionEnd={() => onComposing(false)}
      onPaste={onPaste}
      enterKeyHint="send"
      aria-label={label}
      aria-describedby={describedBy}
      placeholder={placeholder}
      className="max-h-[40dvh] min-h-9 min-w-0 flex-1 resize-none bg-transparent py-1.5 leading-6 outline-none placeholder:text-muted"
    />
  )
}
