/**
 * The connected accounts, from the store to the models of this process (MOD-15).
 *
 *   stored ──notified, or polled──▶ version differs ──▶ read, opened, in use by the next turn
 *
 * Every process that shares the store does this. Reads run one after another, so that an older one never wins.
 */
import type { ProviderAccount, ProviderRecord, Providers } from "../ports/providers.ts"
import type { Seal } from "../ports/seal.ts"
import type { ProviderAccess } from "./provider-access.ts"

const PLACE = "provider"

/** Uses what is stored now, unless this process already does. */
export function keepUpWithProviders(node: ProviderAccess): Promise<void> {
  const { accounts } = node
  accounts.reading = accounts.reading.catch(() => undefined).then(() => takeOver(node))
  return accounts.reading
}

async function takeOver({ store, seal, providers, accounts }: ProviderAccess): Promise<void> {
  if (providers === undefined || seal === undefined) return
  const version = await store.providers.version()
  if (version === accounts.version) return
  await providers.use(await openAccounts(store.providers, seal))
  accounts.version = version
}

/** Those whose sealing key is missing are left out. */
export async function openAccounts(stored: Pick<Providers, "all">, seal: Seal): Promise<readonly ProviderAccount[]> {
  return (await stored.all()).flatMap((record) => openAccount(seal, record) ?? [])
}

export function openAccount(seal: Seal, record: ProviderRecord): ProviderAccount | undefined {
  const { provider, secret, url, models, model, chosenAt } = record
  const key = secret === null ? null : seal.open(secret, placeOf(record))
  return key === undefined ? undefined : { provider, key, url, models, model, chosenAt }
}

/** Bound to the address too: a changed address in the database would otherwise receive the key. */
export function placeOf({ provider, url }: Pick<ProviderRecord, "provider" | "url">): string {
  return `${PLACE} ${provider} ${url ?? ""}`
}

/** Seals keys that an earlier key sealed. */
export async function resealProviders({
  store,
  seal,
  clock,
}: ProviderAccess): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  let [resealed, unreadable] = [0, 0]
  if (seal === undefined) return { resealed, unreadable }
  for (const record of await store.providers.all()) {
    if (record.secret === null || seal.isCurrent(record.secret)) continue
    const key = openAccount(seal, record)?.key
    if (key === undefined || key === null) unreadable += 1
    else {
      const audit = { at: clock.now(), person: "", act: "provider.resealed", subject: record.provider }
      await store.providers.put({ ...record, secret: seal.seal(key, placeOf(record)) }, audit)
      resealed += 1
    }
  }
  return { resealed, unreadable }
}
