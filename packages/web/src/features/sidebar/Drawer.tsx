import { type ReactNode, useEffect, useRef } from "react"

export type DrawerProps = { readonly isOpen: boolean; readonly onClose: () => void; readonly children: ReactNode }

/** The side over the page, where there is no room beside it. Escape and a tap next to it close it; the focus goes back. */
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
      aria-label="Tabs and agents"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      className="m-0 h-dvh max-h-none w-80 max-w-[88vw] border-line border-r bg-side p-0 text-ink shadow-float backdrop:bg-black/30"
    >
      {isOpen && children}
    </dialog>
  )
}
