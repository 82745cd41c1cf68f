import { limits } from "@parlor/protocol"
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/pane.ts"
import { cx } from "../../ui/cx.ts"

export type TitleProps = {
  /** As the conversation has it; empty while it has none. */
  readonly title: string
  /** The fallback title. */
  readonly otherwise: string
  readonly isEditing: boolean
  readonly onEdit: (isEditing: boolean) => void
  /** Resolves when saved; the caller reports a rejection. */
  readonly onRename: (title: string) => Promise<boolean>
}

/** The conversation's title. Double-click, F2 or Enter renames it in place. */
export function Title({ title, otherwise, isEditing, onEdit, onRename }: TitleProps) {
  /** The saved title, until the server confirms it. */
  const [saved, setSaved] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the confirmed title replaces it.
  useEffect(() => setSaved(undefined), [title])
  const shown = saved ?? title
  const button = useRef<HTMLButtonElement>(null)
  const rename = async (text: string) => {
    onEdit(false)
    requestAnimationFrame(() => button.current?.focus())
    const next = text.trim()
    if (next === shown) return
    setSaved(next)
    if (!(await onRename(next))) setSaved(undefined)
  }
  if (isEditing) return <TitleBox text={shown} placeholder={otherwise} onDone={rename} onLeave={() => onEdit(false)} />
  return (
    <h1 className="min-w-0 font-semibold">
      <button
        ref={button}
        type="button"
        title={`${shown || otherwise}: double-click or F2 to rename`}
        onDoubleClick={() => onEdit(true)}
        onClick={(event: MouseEvent) => isFromKeyboard(event) && onEdit(true)}
        onKeyDown={(event) => event.key === "F2" && onEdit(true)}
        className={cx(
          "block max-w-full cursor-text truncate rounded-md px-1 pointer-coarse:min-h-10",
          shown === "" && otherwise === "" && "w-4",
        )}
      >
        {shown || otherwise}
      </button>
    </h1>
  )
}

type TitleBoxProps = {
  readonly text: string
  readonly placeholder: string
  readonly onDone: (text: string) => void
  readonly onLeave: () => void
}

function TitleBox({ text, placeholder, onDone, onLeave }: TitleBoxProps) {
  const [draft, setDraft] = useState(text)
  const box = useRef<HTMLInputElement>(null)
  /** Escape also blurs the field, which must not save. */
  const isLeft = useRef(false)
  useEffect(() => box.current?.select(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Enter") box.current?.blur()
    if (event.key !== "Escape") return
    isLeft.current = true
    onLeave()
  }
  return (
    <input
      ref={box}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here.
      autoFocus
      value={draft}
      maxLength={limits.titleLength}
      aria-label={t("conversationTitle")}
      placeholder={placeholder}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => isLeft.current || onDone(draft)}
      className="min-w-0 max-w-80 flex-1 rounded-md border border-line-strong bg-raised px-2 py-0.5 font-semibold"
    />
  )
}

/** Enter and Space fire clicks without a pointer. */
function isFromKeyboard(event: MouseEvent): boolean {
  return event.detail === 0
}
