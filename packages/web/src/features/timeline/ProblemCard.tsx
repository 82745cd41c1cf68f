import type { MessageRow } from "@parlor/protocol"
import { CircleAlert, KeyRound, RefreshCw } from "lucide-react"
import { useContext } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/model.ts"
import { Button } from "../../ui/Button.tsx"
import { registry } from "../keyboard/useShortcut.ts"
import { ActsContext } from "../rollback/acts.ts"
import { type Note, problemWords } from "../status/problemWords.ts"

export type ProblemCardProps = {
  readonly note: Note | null
  /** The message that was not answered, if it can be sent again. */
  readonly question?: MessageRow | undefined
}

/** What went wrong, what to do about it, and a way to try again (MSG-4). */
export function ProblemCard({ note, question }: ProblemCardProps) {
  const acts = useContext(ActsContext)
  const { title, detail } = problemWords(note)
  return (
    <div role="alert" className="mt-6 flex gap-3 rounded-xl bg-bad-tint px-4 py-3">
      <CircleAlert aria-hidden className="mt-0.5 size-[1.1rem] shrink-0 text-bad" />
      <div className="min-w-0">
        <p className="font-semibold text-bad">{title}</p>
        <p className="break-words text-sm">{detail}</p>
        <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
          {note?.code === "model.key" && (
            <Button onClick={() => registry.run("models")}>
              <KeyRound aria-hidden className="size-3.5" /> {t("checkYourKey")}
            </Button>
          )}
          {acts !== undefined && question !== undefined && (
            <Button onClick={() => acts.tryAgain(question)}>
              <RefreshCw aria-hidden className="size-3.5" /> {common("tryAgain")}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
