/** What is needed to connect model providers. */
import type { Ports } from "../ports/ports.ts"
import type { ModelProviders } from "../ports/providers.ts"
import type { Seal } from "../ports/seal.ts"

export type ProviderAccess = Pick<Ports, "store" | "clock" | "log"> & {
  readonly seal?: Seal
  /** Without it, no provider can be connected. */
  readonly providers?: ModelProviders
  /** The accounts as this process last used them. */
  readonly accounts: AccountsInUse
}

/** `version`: the store's number when they were read; undefined before. */
export type AccountsInUse = { version: number | undefined; reading: Promise<void> }

export function noAccounts(): AccountsInUse {
  return { version: undefined, reading: Promise.resolve() }
}
