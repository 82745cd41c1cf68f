import { type ReactNode, useEffect, useRef } from "react"
import { t } from "../../texts/en/sidebar.ts"

export type DrawerProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly children: ReactNode }

/** The sidebar as a drawer on narrow screens. Escape or a tap outside closes it and restores the focus. */
export function Drawer({ isOpen, onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and the browser brings that.
    <dialog
      ref={dialog}
      aria-label={t("conversations")}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="m-0 h-dvh max-h-none w-80 max-w-[88vw] border-line border-r bg-side p-0 text-ink shadow-float backdrop:bg-black/30"
    >
      {isOpen && children}
    </dialog>
  )
}
