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
    <Dialog title="Switch account?" isOpen onClose={onCancel} className="w-[min(32rem,94vw)]">
      <div className="space-y-3 text-sm">
        <p>
          This link contains a token for another account. If you switch, this browser signs out of your account and
          shows the other account's conversations.
        </p>
        <p>
          <strong>Switch only if you opened this link yourself and know where it came from.</strong> Whoever made the
          link can read what you write in their account. To switch back, you need your own address with its token.
        </p>
        {unsent.length > 0 && (
          <p role="alert" className="break-words rounded-lg bg-warn-tint px-3 py-2 text-warn">
            You have unsent text in {unsentWords(unsent)}. It stays in this browser for your account and is not sent.
          </p>
        )}
        <p className="flex justify-end gap-2 pt-1">
          <Button onClick={onSwitch} look="bad">
            Switch account
          </Button>
          <Button onClick={onCancel} look="main" data-autofocus>
            Cancel
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
  return more === 0 ? named.join(", ") : `${named.join(", ")} and ${more} more`
}
