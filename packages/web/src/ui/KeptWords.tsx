import { t } from "../texts/en/ui.ts"
import { Button } from "./Button.tsx"

export type KeptWordsProps = {
  readonly title: string
  readonly text: string
  /** Puts the words into the box below. */
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** Unsent text whose target is gone. Shown until the person moves or discards it, so that nothing typed is lost. */
export function KeptWords({ title, text, onKeep, onDiscard }: KeptWordsProps) {
  return (
    <div role="status" className="animate-arrive rounded-lg bg-warn-tint px-3 py-2 text-sm">
      <p className="text-warn">{title}</p>
      <p className="mt-0.5 line-clamp-3 whitespace-pre-wrap break-words">{text}</p>
      <p className="mt-2 flex flex-wrap gap-2">
        <Button onClick={onKeep}>{t("moveToMessageBox")}</Button>
        <Button onClick={onDiscard}>{t("discard")}</Button>
      </p>
    </div>
  )
}
