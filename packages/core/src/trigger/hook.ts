/** A webhook: a secret URL, and how its deliveries become messages to an agent (TRG-5). Pure. */
import type { FiringView, HookStyle, HookView, Millis, StreamId } from "@parlor/protocol"
import type { TriggerRecord } from "../ports/triggers.ts"

export type Hook = {
  /** The secret part of its URL. */
  readonly id: string
  readonly person: string
  readonly stream: StreamId
  readonly agent: string
  readonly branch: string
  readonly name: string
  readonly style: HookStyle
  /** Exactly one of the two. */
  readonly template: string | null
  readonly type: string | null
  readonly perMinute: number
  readonly state: "active" | "paused"
  /** Newest first. Needed to verify signatures, so stored, sealed (SEC-29); never shown again. */
  readonly secrets: readonly HookSecret[]
  /** It is declared in the config (TRG-11). */
  readonly declared?: boolean
  readonly version: number
  readonly createdAt: Millis
}

/** `until`: it was replaced, and expires at this time. */
type HookSecret = { readonly secret: string; readonly until: Millis | null }

export function hookRecord(hook: Hook): TriggerRecord {
  const { id, person, stream, version, createdAt, ...rest } = hook
  return { id, kind: "hook", person, stream, version, createdAt, live: true, lookAt: null, value: JSON.stringify(rest) }
}

export function hookOf(record: TriggerRecord): Hook {
  const { id, person, stream, version, createdAt } = record
  return { ...(JSON.parse(record.value) as Hook), id, person, stream, version, createdAt } as Hook
}

export function goodSecrets({ secrets }: Hook, now: Millis): readonly string[] {
  return secrets.flatMap(({ secret, until }) => (until === null || until > now ? [secret] : []))
}

/** Without its secrets; `url` is this server's public URL. */
export function hookView(hook: Hook, url: string, last: FiringView | null): HookView {
  const { id, agent, branch, name, style, template, type, perMinute, state, declared = false, createdAt } = hook
  return { id, agent, branch, name, style, template, type, perMinute, state, url, declared, createdAt, last }
}

/** Its URL is a secret: envelopes and the audit log contain only a prefix. */
export function shortened(id: string): string {
  return `${id.slice(0, 12)}…`
}
