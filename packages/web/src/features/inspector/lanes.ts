/** A turn's timeline as lanes, one per model call, tool or wait. Pure. */

import type { InspectedTurn } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"
import { spanText } from "./figures.ts"

export type Lane = {
  readonly key: string
  readonly kind: "step" | "try" | "tool" | "ask" | "retry"
  readonly label: string
  readonly words: string
  /** In percent of the turn's time. */
  readonly left: number
  readonly width: number
  /** The share of the bar before the first token, from 0 to 1. */
  readonly silent: number
  readonly step: number | undefined
  readonly isOpen: boolean
  readonly isBad: boolean
}

const LEAST_WIDTH = 0.6

type Piece = Pick<Lane, "key" | "kind" | "label" | "step" | "isBad"> & {
  readonly from: number
  readonly to: number | null
  readonly first?: number | null
  readonly more?: string
}

export function lanesOf(inspected: InspectedTurn, now: number): readonly Lane[] {
  const { turn } = inspected
  const end = Math.max(turn.endedAt ?? now, turn.startedAt + 1)
  const whole = end - turn.startedAt
  return piecesOf(inspected)
    .sort((a, b) => a.from - b.from)
    .map(({ from, to, first, more, ...piece }): Lane => {
      const until = to ?? end
      const took = Math.max(0, until - from)
      const isOpen = to === null && turn.endedAt === null
      const ended = to === null ? t(isOpen ? "soFar" : "wasInterrupted") : ""
      return {
        ...piece,
        words: [spanText(took), ended, more].filter(Boolean).join(", "),
        left: clamped(((from - turn.startedAt) / whole) * 100, 100 - LEAST_WIDTH),
        width: Math.max(LEAST_WIDTH, clamped((took / whole) * 100, 100)),
        silent: first === undefined || first === null || took === 0 ? 0 : clamped((first - from) / took, 1),
        isOpen,
      }
    })
}

function piecesOf({ steps, waits }: InspectedTurn): Piece[] {
  return [
    ...steps.flatMap((step): Piece[] => {
      const tries = step.attempts.map((attempt, index): Piece => {
        const isLast = index === step.attempts.length - 1
        const first =
          attempt.firstAt === null ? "" : t("firstToken", { time: spanText(attempt.firstAt - attempt.startedAt) })
        return {
          key: `step ${step.number} ${index}`,
          kind: isLast ? "step" : "try",
          label: isLast
            ? t("stepModel", { number: step.number, model: attempt.model })
            : t("attemptModel", { number: index + 1, model: attempt.model }),
          step: step.number,
          isBad: attempt.error !== null,
          from: attempt.startedAt,
          to: attempt.endedAt,
          first: attempt.firstAt,
          more: [first, attempt.error ?? ""].filter(Boolean).join(", "),
        }
      })
      const unnoted: Piece[] =
        tries.length > 0 || step.startedAt === null
          ? []
          : [
              {
                ...{
                  key: `step ${step.number}`,
                  kind: "step",
                  label: t("stepNumber", { number: step.number }),
                  step: step.number,
                },
                ...{ isBad: false, from: step.startedAt, to: step.endedAt, first: step.firstAt },
              },
            ]
      return [...tries, ...unnoted, ...toolPieces(step)]
    }),
    ...waits.map(
      (wait, index): Piece => ({
        key: `wait ${index}`,
        kind: wait.kind,
        label: t(wait.kind === "ask" ? "waitedForYou" : "waitedToRetry"),
        step: undefined,
        isBad: false,
        from: wait.startedAt,
        to: wait.endedAt,
        more: wait.title,
      }),
    ),
  ]
}

function toolPieces({ number, tools }: InspectedTurn["steps"][number]): Piece[] {
  return tools.flatMap(({ call, name, state, error, startedAt, endedAt }): Piece[] => {
    const from = startedAt ?? endedAt
    if (from === null) return []
    const more = error?.detail ?? (state === "unknown" ? t("outcomeUnknown") : "")
    const isBad = state === "failed" || state === "unknown"
    return [{ key: `tool ${number} ${call}`, kind: "tool", label: name, step: number, isBad, from, to: endedAt, more }]
  })
}

function clamped(number: number, most: number): number {
  return Math.min(most, Math.max(0, number))
}
