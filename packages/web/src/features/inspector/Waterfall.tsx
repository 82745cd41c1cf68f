import type { InspectedTurn } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"
import { cx } from "../../ui/cx.ts"
import { spanText } from "./figures.ts"
import { type Lane, lanesOf } from "./lanes.ts"

const LOOKS: Readonly<Record<Lane["kind"], string>> = {
  step: "bg-accent",
  try: "bg-bad",
  tool: "bg-warn",
  ask: "bg-line-strong",
  retry: "bg-line-strong",
}

/** Where the turn's time went: model calls, tools and waits. */
export function Waterfall({ inspected, now }: { readonly inspected: InspectedTurn; readonly now: number }) {
  const lanes = lanesOf(inspected, now)
  const { turn } = inspected
  if (lanes.length === 0) return <p className="text-muted text-sm">{t("noModelCalled")}</p>
  return (
    <>
      <ol aria-label={t("timeline")} className="space-y-2">
        {lanes.map((lane) => (
          <li key={lane.key} className="grid grid-cols-[minmax(0,13rem)_1fr] items-center gap-x-4 max-md:grid-cols-1">
            <span
              className={cx("truncate text-sm", (lane.kind === "tool" || lane.kind === "try") && "pl-4 max-md:pl-0")}
            >
              {lane.label}
            </span>
            <span className="block min-w-0">
              <LaneBar lane={lane} />
              <span className={cx("block truncate text-xs tabular-nums", lane.isBad ? "text-bad" : "text-muted")}>
                {lane.words}
              </span>
            </span>
          </li>
        ))}
      </ol>
      <p aria-hidden="true" className="mt-1 flex justify-between text-muted text-xs tabular-nums md:ml-[14rem]">
        <span>0</span>
        <span>{spanText((turn.endedAt ?? now) - turn.startedAt)}</span>
      </p>
    </>
  )
}

/** The time to the first token is paler. */
function LaneBar({ lane }: { readonly lane: Lane }) {
  const look = lane.isBad ? "bg-bad" : LOOKS[lane.kind]
  return (
    <span aria-hidden="true" className="relative block h-2.5 overflow-hidden rounded-sm bg-sunken">
      <span
        className={cx("absolute inset-y-0 flex overflow-hidden rounded-sm", lane.isOpen && "animate-breathe")}
        style={{ left: `${lane.left}%`, width: `${Math.min(lane.width, 100 - lane.left)}%` }}
      >
        <span className={cx("h-full shrink-0 opacity-35", look)} style={{ width: `${lane.silent * 100}%` }} />
        <span className={cx("h-full grow", look)} />
      </span>
    </span>
  )
}
