import type { FiringView } from "@parlor/protocol"
import { ChevronRight } from "lucide-react"
import { useState } from "react"
import { t } from "../../texts/en/trigger.ts"
import { momentText } from "../../texts/format.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { firingWords } from "./whenWords.ts"

/** Its recent firings, loaded when expanded. */
export function Firings({ read }: { readonly read: () => Promise<readonly FiringView[]> }) {
  const [firings, setFirings] = useState<readonly FiringView[]>()
  const [note, setNote] = useState<Note>()
  const open = () => {
    read().then(setFirings, (error: unknown) => setNote(noteOf(error)))
  }
  return (
    <details className="group/firings mt-1.5 text-sm" onToggle={(event) => event.currentTarget.open && open()}>
      <summary className="-mx-1.5 inline-flex items-center gap-1.5 rounded-md px-1.5 py-0.5 text-muted hover:text-ink">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open/firings:rotate-90" />
        {t("recentFirings")}
      </summary>
      {note !== undefined && <Alert note={note} className="mt-2" />}
      {firings !== undefined && <FiringList firings={firings} />}
    </details>
  )
}

export function FiringList({ firings }: { readonly firings: readonly FiringView[] }) {
  if (firings.length === 0) return <p className="mt-2 text-muted">{t("notFiredYet")}</p>
  return (
    <ol className="mt-2 space-y-1">
      {firings.map((firing) => (
        <li key={firing.id} className="flex flex-wrap gap-x-2 break-words">
          <time dateTime={new Date(firing.at).toISOString()} className="text-muted">
            {momentText(firing.at)}
          </time>
          {firingWords(firing)}
        </li>
      ))}
    </ol>
  )
}
