/** The contract of every store: one suite, run for SQLite, PostgreSQL and the store in memory. */
import type { AuditEntry, Store } from "@parlor/core"
import { afterAll, beforeAll, describe } from "vitest"
import { blobCases } from "./contract-blobs.ts"
import { deletionCases } from "./contract-deletions.ts"
import { guardCases } from "./contract-guards.ts"
import { importCases } from "./contract-imports.ts"
import { leaseCases } from "./contract-leases.ts"
import { ledgerCases } from "./contract-ledger.ts"
import { leftoverCases } from "./contract-leftovers.ts"
import { linkCases } from "./contract-links.ts"
import { logCases } from "./contract-log.ts"
import { memoryCases } from "./contract-memories.ts"
import { outlineCases } from "./contract-outlines.ts"
import { placeCases } from "./contract-places.ts"
import { preferenceCases } from "./contract-preferences.ts"
import { providerCases } from "./contract-providers.ts"
import { pushCases } from "./contract-pushes.ts"
import { recordCases } from "./contract-records.ts"
import { rowCases } from "./contract-rows.ts"
import { searchCases } from "./contract-search.ts"
import { searchWordCases } from "./contract-search-words.ts"
import { shareCases } from "./contract-shares.ts"
import { storedCases } from "./contract-stored.ts"
import { triggerCases } from "./contract-triggers.ts"
import { trimCases } from "./contract-trim.ts"

export type MadeStore = {
  readonly store: Store
  /** The audit table, oldest first: the port can only write it. */
  readAudit(): Promise<readonly AuditEntry[]>
  dispose(): Promise<void>
}

export function storeContract(name: string, makeStore: () => Promise<MadeStore>): void {
  describe(`store contract: ${name}`, () => {
    let made: MadeStore
    beforeAll(async () => {
      made = await makeStore()
    })
    afterAll(() => made?.dispose())
    const getStore = () => made.store
    logCases(getStore)
    rowCases(getStore)
    placeCases(getStore)
    outlineCases(getStore)
    guardCases(getStore)
    leaseCases(getStore)
    memoryCases(getStore)
    blobCases(getStore)
    searchCases(getStore)
    searchWordCases(getStore)
    triggerCases(getStore)
    ledgerCases(getStore)
    importCases(getStore)
    storedCases(getStore)
    trimCases(getStore)
    leftoverCases(getStore)
    recordCases(getStore, () => made.readAudit())
    linkCases(getStore, () => made.readAudit())
    shareCases(getStore, () => made.readAudit())
    deletionCases(getStore, () => made.readAudit())
    preferenceCases(getStore)
    pushCases(getStore)
    providerCases(getStore, () => made.readAudit())
  })
}
