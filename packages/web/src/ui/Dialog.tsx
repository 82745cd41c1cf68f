import { X } from "lucide-react"
import { type ReactNode, useLayoutEffect, useRef } from "react"
import { t as common } from "../texts/en/common.ts"
import { cx } from "./cx.ts"
import { IconButton } from "./IconButton.tsx"

export type DialogProps = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The width, if not the default. */
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A modal dialog. Escape closes it, and the focus returns to where it was, even if the dialog is unmounted while open.
 * The element with `data-autofocus` gets the focus when it opens.
 */
export function Dialog({ title, isOpen, onClose, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!isOpen || element === null) return
    element.showModal()
    element.querySelector<HTMLElement>("[data-autofocus]")?.focus()
    return () => element.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      // It may be open again by the time the close event fires.
      onClose={() => dialog.current?.open || onClose()}
      className={cx(
        "m-auto max-h-[85dvh] rounded-xl border border-line bg-page p-0 text-ink shadow-float",
        className ?? "w-[min(44rem,94vw)]",
      )}
    >
      {isOpen && (
        <>
          <header className="flex items-center gap-2 border-line border-b px-4 py-2.5">
            <h2 className="min-w-0 break-words font-semibold">{title}</h2>
            <IconButton label={common("close")} className="ml-auto" onClick={onClose}>
              <X className="size-4" />
            </IconButton>
          </header>
          <div className="p-4">{children}</div>
        </>
      )}
    </dialog>
  )
}
