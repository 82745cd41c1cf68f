import type { InspectedTurn } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"
import { spanText } from "./figures.ts"

/** The changes in the conversation's log during the turn, in order. */
export function ChangeLog({ turn, changes, whole }: Pick<InspectedTurn, "turn" | "changes" | "whole">) {
  return (
    <>
      <ol aria-label={t("changes")} className="divide-y divide-line">
        {changes.map(({ seq, at, collection, what }) => (
          <li key={seq} className="grid grid-cols-[5rem_4rem_1fr] gap-3 py-1.5 text-sm max-md:grid-cols-[4rem_1fr]">
            <span className="text-muted tabular-nums">+{spanText(at - turn.startedAt)}</span>
            <span className="text-muted tabular-nums max-md:hidden" title={collection}>
              #{seq}
            </span>
            <span className="min-w-0 break-words">{what}</span>
          </li>
        ))}
      </ol>
      {!whole && <p className="mt-2 text-muted text-sm">{t("cutOff")}</p>}
    </>
  )
}
