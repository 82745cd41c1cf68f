import type { TurnGlance } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { inspectAddress } from "./address.ts"
import { costText, countText, shareText, spanText } from "./figures.ts"
import { stateText, turnTitle } from "./turnWords.ts"

export type TurnListProps = {
  readonly turns: readonly TurnGlance[]
  readonly agent: string
  readonly branch: string
  readonly chosen: string | undefined
  /** The current time, for turns that are still running. */
  readonly now: number
  readonly onMore: (() => void) | undefined
}

/** The turns, newest first: the message, the outcome, and the cost. */
export function TurnList({ turns, agent, branch, chosen, now, onMore }: TurnListProps) {
  return (
    <nav aria-label={t("turns")}>
      <ol className="space-y-1">
        {turns.map((turn) => (
          <li key={turn.id}>
            <a
              href={inspectAddress(agent, branch, turn.id)}
              aria-current={turn.id === chosen ? "true" : undefined}
              className={cx("block rounded-lg px-3 py-2 hover:bg-sunken", turn.id === chosen && "bg-sunken")}
            >
              <span className="block truncate text-sm">{turnTitle(turn)}</span>
              <span className="mt-0.5 flex flex-wrap gap-x-2 text-muted text-xs tabular-nums">
                <span className={cx(turn.state === "failed" && "text-bad", turn.endedAt === null && "text-accent")}>
                  {stateText(turn.state)}
                </span>
                {factsOf(turn, now).map((fact) => (
                  <span key={fact}>{fact}</span>
                ))}
              </span>
            </a>
          </li>
        ))}
      </ol>
      {onMore && (
        <Button className="mt-3 w-full" onClick={onMore}>
          {t("olderTurns")}
        </Button>
      )}
    </nav>
  )
}

function factsOf(turn: TurnGlance, now: number): readonly string[] {
  return [
    spanText((turn.endedAt ?? now) - turn.startedAt),
    t("steps", { count: turn.steps }),
    t("tokens", { tokens: countText(turn.usage.inputTokens + turn.usage.outputTokens) }),
    ...(turn.usage.costMicros > 0 ? [costText(turn.usage.costMicros)] : []),
    ...(turn.context === null ? [] : [t("full", { share: shareText(turn.context) })]),
  ]
}
