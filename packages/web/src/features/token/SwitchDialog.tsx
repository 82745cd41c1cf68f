import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/token.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"

export type SwitchDialogProps = {
  /** Conversations with unsent text. */
  readonly unsent: readonly string[]
  readonly onSwitch: () => void
  readonly onCancel: () => void
}

/** Asks before a link signs this browser in to another account (SEC-37). */
export function SwitchDialog({ unsent, onSwitch, onCancel }: SwitchDialogProps) {
  return (
    <Dialog title={t("switchAccount")} isOpen onClose={onCancel} className="w-[min(32rem,94vw)]">
      <div className="space-y-3 text-sm">
        <p>{t("anotherAccount")}</p>
        <p>{rich(t.pieces("whoeverMadeIt", { warning: <strong>{t("onlyIf")}</strong> }))}</p>
        {unsent.length > 0 && (
          <p role="alert" className="break-words rounded-lg bg-warn-tint px-3 py-2 text-warn">
            {t("unsent", { conversations: unsentWords(unsent) })}
          </p>
        )}
        <p className="flex justify-end gap-2 pt-1">
          <Button onClick={onSwitch} look="bad">
            {t("doSwitch")}
          </Button>
          <Button onClick={onCancel} look="main" data-autofocus>
            {common("cancel")}
          </Button>
        </p>
      </div>
    </Dialog>
  )
}

const MAX_NAMED = 3

/** The first few by name, and how many more there are. */
export function unsentWords(conversations: readonly string[]): string {
  const named = conversations.slice(0, MAX_NAMED)
  const more = conversations.length - named.length
  return more === 0 ? named.join(", ") : t("andMore", { names: named.join(", "), count: more })
}
