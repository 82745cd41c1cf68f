/** A turn in words: its title, its state, and how sure its prompt is. Pure. */
import type { InspectedStep, TurnGlance } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"

const STATES = {
  running: "running",
  retrying: "retrying",
  waiting: "waiting",
  done: "done",
  stopped: "stopped",
  failed: "failed",
  interrupted: "interrupted",
} as const

export function stateText(state: TurnGlance["state"]): string {
  return t(STATES[state])
}

/** A turn's title in lists. */
export function turnTitle({ compaction, question, guest }: TurnGlance): string {
  if (compaction) return t("compaction")
  const asked = question === "" ? t("withoutText") : question
  return guest === null ? asked : `${guest}: ${asked}`
}

const SURE = {
  exact: "promptExact",
  differs: "promptDiffers",
  missing: "promptMissing",
  pending: "promptPending",
  "left-out": "promptLeftOut",
} as const

export function promptText(state: InspectedStep["prompt"]["state"]): string {
  return t(SURE[state])
}
