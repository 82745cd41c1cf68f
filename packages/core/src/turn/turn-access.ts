/** What is needed to run a turn: models, agents, files and schedules. */
import type { Agents } from "../agent/agent-of.ts"
import type { BriefAccess } from "../inspector/brief.ts"
import type { ModelAccess } from "../model-call/model-access.ts"
import type { ScheduleAccess } from "../schedule/schedule-access.ts"
import type { RunAccess } from "../workspace/run-tool.ts"
import type { Messenger } from "./messenger.ts"

export type TurnAccess = ModelAccess &
  RunAccess &
  ScheduleAccess &
  BriefAccess &
  Agents & {
    readonly settings: TurnSettings
    /** Sends messages of agents to other agents. */
    readonly messenger: Messenger
  }

export type TurnSettings = {
  /** Whose conversations may change project memory: it affects everyone (MEM-5). */
  readonly projectWriters: readonly string[]
}
