/** Usage and storage limits of one person, from the environment (SEC-21 to SEC-24, SEC-42, SEC-43). */
import {
  callRates,
  defaultQuotaSettings,
  defaultUsageSettings,
  type QuotaSettings,
  type Retention,
  type UsageSettings,
} from "@parlor/core"
import { countOf } from "./count.ts"
import { SettingsError } from "./settings-error.ts"

const CALLS_PER_MINUTE_MOST = 1_000_000
const DOLLARS_MOST = 1_000_000
/** Of each kind: lists of them are not paged. */
const TRIGGERS_MOST = 10_000
const DAYS_MOST = 36_500

export function usageOf(env: NodeJS.ProcessEnv): UsageSettings {
  const perMinute = countOf("PARLOR_MODEL_CALLS_PER_MINUTE", env, CALLS_PER_MINUTE_MOST)
  const tokens = orUnlimited(env, "PARLOR_TOKENS_PER_DAY", (name) => countOf(name, env, Number.MAX_SAFE_INTEGER))
  const micros = orUnlimited(env, "PARLOR_DOLLARS_PER_DAY", (name) => microsOf(env, name))
  return {
    ...defaultUsageSettings,
    ...(perMinute === undefined ? {} : { rates: callRates(perMinute) }),
    ...(tokens === undefined ? {} : { tokensPerDay: tokens }),
    ...(micros === undefined ? {} : { microsPerDay: micros }),
  }
}

export function quotaOf(env: NodeJS.ProcessEnv): QuotaSettings {
  const bytes = orUnlimited(env, "PARLOR_STORED_BYTES", (name) => countOf(name, env, Number.MAX_SAFE_INTEGER))
  const conversations = orUnlimited(env, "PARLOR_CONVERSATIONS", (name) => countOf(name, env, Number.MAX_SAFE_INTEGER))
  const files = orUnlimited(env, "PARLOR_FILES", (name) => countOf(name, env, Number.MAX_SAFE_INTEGER))
  const schedules = countOf("PARLOR_SCHEDULES", env, TRIGGERS_MOST)
  const hooks = countOf("PARLOR_HOOKS", env, TRIGGERS_MOST)
  const notices = countOf("PARLOR_NOTICES", env, TRIGGERS_MOST)
  return {
    ...defaultQuotaSettings,
    ...(bytes === undefined ? {} : { storedBytes: bytes }),
    ...(conversations === undefined ? {} : { conversations }),
    ...(files === undefined ? {} : { files }),
    ...(schedules === undefined ? {} : { schedules }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(notices === undefined ? {} : { notices }),
  }
}

/** Which conversations are kept, for each person and agent (LOG-40). */
export function retentionOf(env: NodeJS.ProcessEnv): Retention {
  return {
    days: countOf("PARLOR_RETENTION_DAYS", env, DAYS_MOST),
    conversations: countOf("PARLOR_RETENTION_CONVERSATIONS", env, Number.MAX_SAFE_INTEGER),
  }
}

/** Null for no limit; undefined if not set. */
function orUnlimited(
  env: NodeJS.ProcessEnv,
  name: string,
  read: (name: string) => number | undefined,
): number | null | undefined {
  return env[name] === "unlimited" ? null : read(name)
}

function microsOf(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name]
  if (!text) return undefined
  const dollars = Number(text)
  if (dollars > 0 && dollars <= DOLLARS_MOST) return Math.round(dollars * 1_000_000)
  throw new SettingsError(`${name}=${text} is not an amount from 0.01 to ${DOLLARS_MOST}, or "unlimited".`)
}
