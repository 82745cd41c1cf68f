/** What it takes to run a turn: its models, its agents, its files and what it may plan. */
import type { Agents } from "../agent/agent-of.ts"
import type { BriefAccess } from "../inspector/brief.ts"
import type { ModelAccess } from "../model-call/model-access.ts"
import type { ScheduleAccess } from "../schedule/schedule-access.ts"
import type { FileAccess } from "../workspace/file-access.ts"

export type TurnAccess = ModelAccess &
  FileAccess &
  ScheduleAccess &
  BriefAccess &
  Agents & { readonly settings: TurnSettings }

export type TurnSettings = {
  /** In whose conversations agents may change what the project remembers: everyone is told of it (MEM-5). */
  readonly projectWriters: readonly string[]
}
