/**
 * One PostgreSQL for the whole test run, started when the first test needs it. Set `PARLOR_TEST_PG_URL` to use another
 * server instead.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestProject } from "vitest/node"
import { type PostgresServer, startPostgres } from "./postgres.ts"

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PARLOR_TEST_PG_URL
  let starting: Promise<PostgresServer> | undefined
  const urlOf = async () => {
    if (given) return given
    starting ??= startPostgres()
    return (await starting).url
  }
  const door = createServer((_, response) => {
    urlOf().then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  door.listen(0, "127.0.0.1")
  await once(door, "listening")
  project.provide("postgresDoor", `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    await (await starting?.catch(() => undefined))?.remove()
  }
}
