import type { Store } from "@parlor/core"
import type { PostgresOptions } from "./postgres/open.ts"

/** Its driver is loaded by who uses it: most servers do not, and start without. */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  const { openPostgres: open } = await import("./postgres/open.ts")
  return open(options)
}
