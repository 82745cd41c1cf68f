import type { Store } from "@parlor/core"

/** The store under test, once the suite runs. */
export type GetStore = () => Store
