/**
 * The published suite of the Durable Streams protocol over our log, on both stores.
 *
 * `write-side.ts` gives the suite the writes it needs; every read it makes is answered by the server's own code.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runConformanceTests } from "@durable-streams/server-conformance-tests"
import type { Store } from "@parlor/core"
import { openPostgres, openSqlite } from "@parlor/store"
import { afterAll, beforeAll, describe, expect, type RunnerTask, TestRunner, test } from "vitest"
import { freshDatabase } from "../support/postgres.ts"
import { startWriteSide, type WriteSide } from "./write-side.ts"

/** Groups of the suite that say nothing about us, by the beginning of their names. */
const LEFT_OUT = {
  "Fork - ": "Parlor's branches are conversations of their own, made by commands; they are not forks of this protocol.",
  "Reserved subscription APIs": "There are no subscriptions: webhooks and pull-wake belong to a write side.",
}
const GROUPS_LEFT_OUT = 10
const TESTS = 250
const LONG_POLL_MS = 500

type Opened = { readonly store: Store; drop(): Promise<void> }

describe("[LOG-7] the published Durable Streams suite passes on SQLite", () => suite(openOnSqlite))
describe("[LOG-7] the published Durable Streams suite passes on PostgreSQL", () => suite(openOnPostgres))

function suite(open: () => Promise<Opened>): void {
  const options = { baseUrl: "", longPollTimeoutMs: LONG_POLL_MS }
  let opened: Opened
  let side: WriteSide

  beforeAll(async () => {
    opened = await open()
    side = await startWriteSide(opened.store, { longPollMs: LONG_POLL_MS })
    options.baseUrl = side.url
  })

  afterAll(async () => {
    await side.close()
    await opened.store.close()
    await opened.drop()
  })

  runConformanceTests(options)
  const left = leaveOut(Object.keys(LEFT_OUT))

  test(`${TESTS} tests of the suite ran, ${GROUPS_LEFT_OUT} groups were left out`, ({ task }) => {
    expect(left).toBe(GROUPS_LEFT_OUT)
    expect(countRun(task.suite?.tasks ?? [])).toBe(TESTS)
  })
}

/** Takes the groups whose names begin like this back out, before any of their tests is made. */
function leaveOut(beginnings: readonly string[]): number {
  const { tasks } = TestRunner.getCurrentSuite()
  const kept = tasks.filter((task) => !beginnings.some((beginning) => task.name.startsWith(beginning)))
  return tasks.splice(0, tasks.length, ...kept).length - kept.length
}

/** Tests that came to an end, passed or failed. */
function countRun(tasks: readonly RunnerTask[]): number {
  return tasks.reduce((count, task) => {
    if (task.type === "suite") return count + countRun(task.tasks)
    return count + (task.result?.state === "pass" || task.result?.state === "fail" ? 1 : 0)
  }, 0)
}

async function openOnSqlite(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), "parlor-conformance-"))
  const store = await openSqlite({ path: join(folder, "parlor.db") })
  return { store, drop: () => rm(folder, { recursive: true, force: true }) }
}

async function openOnPostgres(): Promise<Opened> {
  const { url, drop } = await freshDatabase()
  return { store: await openPostgres({ url }), drop }
}
