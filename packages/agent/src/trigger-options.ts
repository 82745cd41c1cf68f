/** Triggers as an author declares them in the config, by name (TRG-11). */
import type { BodyInputOf } from "@parlor/protocol"

type Whose = {
  /** Whose conversation. Default: `me`. */
  readonly person?: string
}

type Declared<Body> = Body extends unknown ? Omit<Body, "name"> & Whose : never

/** The environment variable that contains the secret, so that the config itself contains none. */
type SecretFrom = { readonly secretEnv: string }

/** When to send a message, and which: `{ agent, when: { cron, timeZone }, text }`. */
export type ScheduleOptions = Declared<BodyInputOf<"makeSchedule">>

/** How deliveries become messages: `{ agent, style: "github", secretEnv, template }`. */
export type WebhookOptions = Declared<BodyInputOf<"makeHook">> & SecretFrom

/** Where to report finished turns and opened asks: `{ url, secretEnv }`. */
export type NoticeOptions = Declared<BodyInputOf<"makeNotice">> & SecretFrom

export type TriggerOptions = {
  /** Messages at certain times, by name. */
  readonly schedules?: Readonly<Record<string, ScheduleOptions>>
  /** Messages when a program calls, by name. */
  readonly webhooks?: Readonly<Record<string, WebhookOptions>>
  /** Outgoing webhooks, by name. */
  readonly notices?: Readonly<Record<string, NoticeOptions>>
}
