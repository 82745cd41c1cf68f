/** What a check is: it watches one conversation and says what is wrong, by rule. */
import type { Settings } from "@parlor/core"
import type { Op } from "./command.ts"
import type { Conversation } from "./conversation.ts"
import type { Commit } from "./journal.ts"
import type { Process } from "./process.ts"
import type { Profile } from "./profile.ts"
import type { ModelCall } from "./sim-model.ts"
import type { ToolRun } from "./sim-tools.ts"

export type Check = {
  /** The rows are as they were before it. */
  commit?(commit: Commit): void
  /** The rows are as they are after it. */
  folded?(commit: Commit): void
  answered?(op: Op): void
  called?(call: ModelCall): void
  /** A model was asked for a summary. */
  summed?(call: ModelCall): void
  ran?(run: ToolRun): void
  step?(): void
  /** Faults have stopped and everything has had its time. */
  end?(): void
}

export type Facts = {
  readonly settings: Settings
  readonly profile: Profile
  readonly now: () => number
  /** Nothing has failed since then: no store, no process. */
  readonly quietSince: (at: number, process: Process) => boolean
  readonly callNumbered: (number: number) => ModelCall | undefined
}

export type Wrong = (rule: string, detail: string) => void
export type MakeCheck = (it: Conversation, wrong: Wrong, facts: Facts) => Check

export type Failure = { readonly check: string; readonly rule: string; readonly detail: string; readonly step: number }

/** The checks by what they want to hear of: most want to hear little. */
export type Hooks = { readonly [H in keyof Check]-?: readonly NonNullable<Check[H]>[] }

export function hooksOf(checks: readonly Check[]): Hooks {
  const all = <H extends keyof Check>(hook: H) => checks.flatMap((check) => check[hook] ?? [])
  return {
    commit: all("commit"),
    folded: all("folded"),
    answered: all("answered"),
    called: all("called"),
    summed: all("summed"),
    ran: all("ran"),
    step: all("step"),
    end: all("end"),
  } as Hooks
}
