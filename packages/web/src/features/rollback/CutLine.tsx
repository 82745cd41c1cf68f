import { useContext } from "react"
import { t } from "../../texts/en/rollback.ts"
import { Button } from "../../ui/Button.tsx"
import { ActsContext } from "./acts.ts"
import type { Cut } from "./lineUp.ts"

export type CutLineProps = { readonly cut: Cut; readonly onOpen: (id: string, isOpen: boolean) => void }

/** The line where a conversation was rolled back: how many messages it hides, and a way back (RBK-1). */
export function CutLine({ cut, onOpen }: CutLineProps) {
  const acts = useContext(ActsContext)
  const { id, words, count, isOpen, cancel } = cut
  const hidden = t("messagesRolledBack", { count })
  return (
    <section
      aria-label={words}
      className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm max-md:justify-center"
    >
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line-strong max-md:hidden" />
      <span title={words}>{count === 0 ? words : hidden}</span>
      {count > 0 && (
        <Button aria-expanded={isOpen} onClick={() => onOpen(id, !isOpen)}>
          {isOpen ? t("hide") : t("show")}
        </Button>
      )}
      {cancel !== undefined && acts !== undefined && (
        <Button onClick={() => acts.cancel(cancel)}>{t("cancelRollback")}</Button>
      )}
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line-strong max-md:hidden" />
    </section>
  )
}
