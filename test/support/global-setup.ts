/** One PostgreSQL for the whole test run. `PARLOR_TEST_PG_URL` names another server to use instead. */
import type { TestProject } from "vitest/node"
import { startPostgres } from "./postgres.ts"

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.PARLOR_TEST_PG_URL
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given)
    return undefined
  }
  const server = await startPostgres()
  project.provide("postgresUrl", server.url)
  return () => server.remove()
}
