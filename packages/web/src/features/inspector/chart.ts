/** The chart of context use and cost per turn. Pure. */

import type { TurnGlance } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"
import { costText, countText, shareText } from "./figures.ts"

export const CHART = { width: 640, context: 64, gap: 14, cost: 36 } as const
export const CHART_HEIGHT = CHART.context + CHART.gap + CHART.cost

export type Bar = {
  readonly turn: string
  readonly x: number
  readonly width: number
  /** From 0 to 1, relative to the window and to the most expensive turn. Undefined where unknown. */
  readonly context: number | undefined
  readonly cost: number
}

const MAX_WIDE = 28
const FILLED = 0.7
const NEARLY_FULL = 0.8

/** Oldest at the left, as they happened; `turns` come newest first. */
export function barsOf(turns: readonly TurnGlance[]): readonly Bar[] {
  const dearest = Math.max(0, ...turns.map(({ usage }) => usage.costMicros))
  const step = Math.min(CHART.width / Math.max(1, turns.length), MAX_WIDE / FILLED)
  return [...turns].reverse().map((turn, index) => ({
    turn: turn.id,
    x: index * step,
    width: step * FILLED,
    context: turn.context === null ? undefined : Math.min(1, turn.context.tokens / turn.context.window),
    cost: dearest === 0 ? 0 : turn.usage.costMicros / dearest,
  }))
}

export function isNearlyFull(bar: Bar): boolean {
  return (bar.context ?? 0) >= NEARLY_FULL
}

/** The chart as a sentence, for screen readers. */
export function chartWords(turns: readonly TurnGlance[]): string {
  const newest = turns.find(({ context }) => context !== null)?.context
  const full =
    newest === null || newest === undefined
      ? t("contextUnknown")
      : t("latestUses", { share: shareText(newest), window: countText(newest.window) })
  const micros = turns.reduce((sum, { usage }) => sum + usage.costMicros, 0)
  const cost = micros === 0 ? t("priceUnknown") : t("totalCost", { cost: costText(micros) })
  return t("chart", { count: turns.length, full, cost })
}
