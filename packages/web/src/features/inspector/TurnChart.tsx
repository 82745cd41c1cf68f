import type { TurnGlance } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"
import { cx } from "../../ui/cx.ts"
import { Summary } from "../../ui/Summary.tsx"
import { type Bar, barsOf, CHART, CHART_HEIGHT, chartWords, isNearlyFull } from "./chart.ts"
import { costText, countText, shareText } from "./figures.ts"
import { turnTitle } from "./turnWords.ts"

export type TurnChartProps = {
  readonly turns: readonly TurnGlance[]
  /** The selected one. */
  readonly chosen: string | undefined
}

const COST_BASE = CHART_HEIGHT
const COLUMNS = ["turn", "context", "window", "share", "cost"] as const

/** Context use and cost per turn, as a chart and as a table. */
export function TurnChart({ turns, chosen }: TurnChartProps) {
  const bars = barsOf(turns)
  return (
    <figure className="rounded-xl border border-line bg-raised px-4 py-3">
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden data-dot className="size-2 rounded-xs bg-accent" /> {t("contextUsed")}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden data-dot className="size-2 rounded-xs bg-warn" /> {t("costRelative")}
        </span>
        {bars.some(isNearlyFull) && (
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden data-dot className="size-2 rounded-xs bg-bad" /> {t("nearlyFull")}
          </span>
        )}
      </figcaption>
      <svg
        role="img"
        aria-label={chartWords(turns)}
        viewBox={`0 0 ${CHART.width} ${CHART_HEIGHT}`}
        className="mt-2 h-auto max-h-36 w-full"
        preserveAspectRatio="xMinYMid meet"
      >
        <line x1="0" x2={CHART.width} y1="0.5" y2="0.5" className="stroke-line" strokeDasharray="3 4" />
        <line x1="0" x2={CHART.width} y1={CHART.context} y2={CHART.context} className="stroke-line" />
        <line x1="0" x2={CHART.width} y1={COST_BASE - 0.5} y2={COST_BASE - 0.5} className="stroke-line" />
        {bars.map((bar) => (
          <TurnBars key={bar.turn} bar={bar} isChosen={bar.turn === chosen} />
        ))}
      </svg>
      <details className="group mt-1 text-xs">
        <Summary>{t("asTable")}</Summary>
        <ChartTable turns={turns} />
      </details>
    </figure>
  )
}

function TurnBars({ bar, isChosen }: { readonly bar: Bar; readonly isChosen: boolean }) {
  const context = (bar.context ?? 0) * CHART.context
  const cost = bar.cost * CHART.cost
  return (
    <>
      <rect
        x={bar.x}
        y="0"
        width={bar.width}
        height={CHART_HEIGHT}
        className={isChosen ? "fill-tint" : "fill-transparent"}
      />
      <rect
        x={bar.x}
        y={CHART.context - context}
        width={bar.width}
        height={context}
        rx="1.5"
        className={isNearlyFull(bar) ? "fill-bad" : "fill-accent"}
      />
      <rect x={bar.x} y={COST_BASE - cost} width={bar.width} height={cost} rx="1.5" className="fill-warn" />
    </>
  )
}

function ChartTable({ turns }: { readonly turns: readonly TurnGlance[] }) {
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="w-full text-left tabular-nums">
        <thead className="text-muted">
          <tr>
            {COLUMNS.map((head, index) => (
              <th key={head} scope="col" className={cx("py-1 pr-4 font-medium", index > 0 && "text-right")}>
                {t(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {turns.map((turn) => (
            <tr key={turn.id} className="border-line border-t">
              <th scope="row" className="max-w-48 truncate py-1 pr-4 font-normal">
                {turnTitle(turn)}
              </th>
              <td className="pr-4 text-right">{turn.context === null ? "–" : countText(turn.context.tokens)}</td>
              <td className="pr-4 text-right">{turn.context === null ? "–" : countText(turn.context.window)}</td>
              <td className="pr-4 text-right">{turn.context === null ? "–" : shareText(turn.context)}</td>
              <td className="pr-4 text-right">{costText(turn.usage.costMicros)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
