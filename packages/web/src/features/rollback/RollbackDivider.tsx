import { useContext } from "react"
import { Button } from "../../ui/Button.tsx"
import { ActsContext } from "./acts.ts"
import type { Divider } from "./dividers.ts"

/** The line below what is dimmed. */
export function RollbackDivider({ divider }: { readonly divider: Divider }) {
  const acts = useContext(ActsContext)
  return (
    <section aria-label={divider.words} className="mt-6 flex items-center gap-3 text-muted text-sm">
      <span aria-hidden className="h-px flex-1 bg-line-strong" />
      <span>{divider.words}</span>
      {divider.canCancel && acts !== undefined && (
        <Button onClick={() => acts.cancel(divider.id)}>Cancel rollback</Button>
      )}
      <span aria-hidden className="h-px flex-1 bg-line-strong" />
    </section>
  )
}
