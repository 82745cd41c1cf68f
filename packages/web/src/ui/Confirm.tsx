import type { ReactNode } from "react"
import { t as common } from "../texts/en/common.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

export type ConfirmProps = {
  readonly title: string
  /** The label of the confirm button. */
  readonly action: string
  readonly onDo: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Asks before something is deleted. */
export function Confirm({ title, action, onDo, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} isOpen onClose={onClose} className="w-[min(28rem,94vw)]">
      <div className="space-y-4 text-sm">
        <div className="break-words">{children}</div>
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button onClick={onDo} look="bad">
            {action}
          </Button>
        </p>
      </div>
    </Dialog>
  )
}
