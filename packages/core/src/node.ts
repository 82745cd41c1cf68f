/**
 * One server process: what every drive and command shares. Each folder declares what it needs of it (`LogAccess`,
 * `FileAccess`, `ModelAccess`, …).
 */
import { limits } from "@parlor/protocol"
import type { CommandSettings } from "./command/command-access.ts"
import type { DriveSettings } from "./drive/drive-access.ts"
import type { LogSettings } from "./log/log-access.ts"
import type { ModelSettings } from "./model-call/model-access.ts"
import type { ProviderAccess } from "./provider/provider-access.ts"
import type { PushAccess } from "./push/push-access.ts"
import { defaultQuotaSettings } from "./quota/quota.ts"
import { defaultTriggerSettings, type TriggerSettings } from "./schedule/settings.ts"
import type { ImportAccess } from "./transfer/import-access.ts"
import type { TriggerAccess } from "./trigger/trigger-access.ts"
import { defaultErrorHold } from "./turn/after-error.ts"
import type { TurnSettings } from "./turn/turn-access.ts"
import { defaultUsageSettings } from "./usage/settings.ts"

export type Node = TriggerAccess & ImportAccess & ProviderAccess & PushAccess & { readonly settings: Settings }

export type Settings = LogSettings &
  ModelSettings &
  TurnSettings &
  DriveSettings &
  CommandSettings & { readonly triggers: TriggerSettings }

export const defaultSettings: Settings = {
  leaseMs: 10_000,
  logGraceMs: 60 * 60_000,
  renewMs: 3_000,
  sweepMs: 2_000,
  drainDelayMs: 100,
  errorHold: defaultErrorHold,
  queueLimit: limits.queued,
  stallMs: 60_000,
  maxAnswerChars: 1_000_000,
  titles: false,
  retry: { tries: 5, baseMs: 1_000, maxMs: 60_000 },
  closedSidecars: "keep",
  deletionMarkMs: 10_000,
  deletionGraceMs: 30_000,
  retention: {},
  projectWriters: ["me"],
  triggers: defaultTriggerSettings,
  usage: defaultUsageSettings,
  quota: defaultQuotaSettings,
}
