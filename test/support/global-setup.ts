/**
 * What all files of a test run share, started or installed when the first test needs it: one PostgreSQL, and Node 22 for
 * clients that need it. Set `PARLOR_TEST_PG_URL` to use another PostgreSQL instead.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestProject } from "vitest/node"
import { installNode22 } from "./install-node22.ts"
import { type PostgresServer, startPostgres } from "./postgres.ts"

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PARLOR_TEST_PG_URL
  let starting: Promise<PostgresServer> | undefined
  let installing: Promise<string> | undefined
  const postgres = async () => {
    if (given) return given
    starting ??= startPostgres()
    return (await starting).url
  }
  const node22 = () => {
    installing ??= installNode22()
    return installing
  }
  const door = createServer((request, response) => {
    const found = request.url === "/node22" ? node22() : postgres()
    found.then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  })
  door.listen(0, "127.0.0.1")
  await once(door, "listening")
  project.provide("testRunDoor", `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    await (await starting?.catch(() => undefined))?.remove()
  }
}
