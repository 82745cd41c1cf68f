import { useLayoutEffect, useRef } from "react"
import { t } from "../../texts/en/palette.ts"

export type PaletteWaitProps = {
  readonly typed: string
  readonly onType: (text: string) => void
  readonly onClose: () => void
}

/** Takes what is typed while the palette is loading. */
export function PaletteWait({ typed, onType, onClose }: PaletteWaitProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-label={t("findAnything")}
      // Replacing it is not closing it.
      onCancel={onClose}
      className="mx-auto mt-[12dvh] mb-auto w-[min(38rem,94vw)] overflow-hidden rounded-2xl border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-black/25"
    >
      <input
        aria-label={t("findAConversationAgentPage")}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        placeholder={t("searchOrRunACommand")}
        className="w-full bg-transparent py-3.5 pr-4 pl-11 outline-none placeholder:text-muted"
      />
    </dialog>
  )
}
