import { useState } from "react"
import { t } from "../../texts/en/picture.ts"
import { Dialog } from "../../ui/Dialog.tsx"

/** A picture in its reserved space, which opens enlarged (MSG-19). */
export function Picture({ src, name }: { readonly src: string; readonly name: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        aria-label={t("enlarge", { name })}
        onClick={() => setOpen(true)}
        className="mt-1.5 block h-50 max-w-full cursor-zoom-in rounded-lg"
      >
        <img src={src} alt={name} className="h-full max-w-full rounded-lg object-contain object-left" />
      </button>
      {isOpen && (
        <Dialog title={name} isOpen onClose={close} className="w-fit min-w-[min(20rem,94vw)] max-w-[96vw]">
          <button type="button" aria-label={t("close")} onClick={close} className="block w-full cursor-zoom-out">
            <img src={src} alt="" className="mx-auto max-h-[72dvh] max-w-full object-contain" />
          </button>
        </Dialog>
      )}
    </>
  )
}
