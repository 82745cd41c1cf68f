import { X } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import { cx } from "./cx.ts"
import { IconButton } from "./IconButton.tsx"

export type DialogProps = {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly className?: string
  readonly children: ReactNode
}

/** A box in front of the page. Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, isOpen, onClose, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      className={cx(
        "m-auto max-h-[85dvh] w-[min(44rem,94vw)] rounded-xl border border-line bg-page p-0 text-ink shadow-float",
        className,
      )}
    >
      {isOpen && (
        <>
          <header className="flex items-center gap-2 border-line border-b px-4 py-2.5">
            <h2 className="font-semibold">{title}</h2>
            <IconButton label="Close" className="ml-auto" onClick={onClose}>
              <X className="size-4" />
            </IconButton>
          </header>
          <div className="p-4">{children}</div>
        </>
      )}
    </dialog>
  )
}
