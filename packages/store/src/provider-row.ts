/** Converts a row of the `providers` table to the port's `ProviderRecord`. */
import type { ProviderRecord } from "@parlor/core"
import type { ProviderName } from "@parlor/protocol"

export type ProviderRow = { readonly provider: string; readonly secret: string | null; readonly value: string }

export const PROVIDER_COLUMNS = "provider, secret, value"

/** Everything but the sealed key is one value: no query looks into it. */
export function providerCells({ provider, secret, ...rest }: ProviderRecord): [string, string | null, string] {
  return [provider, secret, JSON.stringify(rest)]
}

export function toProvider({ provider, secret, value }: ProviderRow): ProviderRecord {
  const rest = JSON.parse(value) as Omit<ProviderRecord, "provider" | "secret">
  return { ...rest, provider: provider as ProviderName, secret }
}
