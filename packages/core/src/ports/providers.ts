/**
 * Model providers that the owner connected (MOD-15): what the store keeps of each, and what knows how to reach them.
 *
 * At most one account per provider. Keys are sealed before they reach the store (SEC-29).
 */
import type { Millis, ProviderName, StreamId } from "@parlor/protocol"
import type { AuditEntry } from "./audit.ts"

export type ProviderRecord = {
  readonly provider: ProviderName
  /** The sealed key; null if the provider needs none. */
  readonly secret: string | null
  /** The last characters of the key, for people to recognize it. */
  readonly ending: string | null
  /** The address of a compatible server. */
  readonly url: string | null
  /** The ids of its models when the account was last tested. */
  readonly models: readonly string[]
  /** The id of the model for agents that name none. */
  readonly model: string
  /** When it was made the provider of agents that name no model; the latest one counts. */
  readonly chosenAt: Millis | null
  readonly addedAt: Millis
}

/** Not a stream: other processes are notified under this id that the connected providers changed (see `Store.watch`). */
export const PROVIDERS_CHANGED = 0 as StreamId

export interface Providers {
  /** By name. */
  all(): Promise<readonly ProviderRecord[]>
  /** Rises with every change. */
  version(): Promise<number>
  /** Adds or replaces. Notifies the other processes. */
  put(record: ProviderRecord, audit: AuditEntry): Promise<void>
  /** False if it was not there. */
  remove(provider: ProviderName, audit: AuditEntry): Promise<boolean>
}

/** An account with its key opened. Never logged, never sent to a client. */
export type ProviderAccount = Pick<ProviderRecord, "provider" | "url" | "models" | "model" | "chosenAt"> & {
  readonly key: string | null
}

export type ProviderOutline = {
  readonly provider: ProviderName
  readonly title: string
  /** What has to be entered: a key, an address (and perhaps a key), or nothing. */
  readonly needs: "key" | "url" | "nothing"
  /** Where people get a key. */
  readonly keyPage: string | null
  /** The variable of the environment that takes precedence over the stored account. */
  readonly variable: string | null
  /** Whether that variable is set. */
  readonly isInEnvironment: boolean
}

export type ProviderCheck =
  | { readonly ok: true; readonly models: readonly string[]; readonly model: string }
  | { readonly ok: false; readonly why: "key" | "quota" | "unreachable" | "model" | "failed"; readonly detail: string }

/** `model`: the id to test with; by default one of the provider's. */
export type ProviderCandidate = Pick<ProviderAccount, "provider" | "key" | "url"> & {
  readonly model: string | undefined
}

/** The providers themselves, behind a port: implemented by `@parlor/models`. */
export interface ModelProviders {
  known(): readonly ProviderOutline[]
  /** Model servers that run on this machine now. */
  local(): Promise<readonly { readonly name: string; readonly url: string; readonly models: readonly string[] }[]>
  /** The model of agents that name none, and the variable that decides it; null if none does. */
  inUse(): { readonly model: string; readonly variable: string | null }
  /** Asks the provider. Ends after a time limit, and never throws. */
  check(candidate: ProviderCandidate): Promise<ProviderCheck>
  /** From now on, these are the accounts. Resolves when new turns use them. */
  use(accounts: readonly ProviderAccount[]): Promise<void>
}
