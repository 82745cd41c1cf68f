import type { Store } from "@parlor/core"
import type { PostgresOptions } from "./postgres/open.ts"

/** Loads the driver on demand: most servers do not need it. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { openPostgres: open } = await import("./postgres/open.ts")
  return open(options)
}
