/** The nodes of one test file, opened before its first test and closed after its last. */
import { afterAll, beforeAll, vi } from "vitest"
import { type FreshDatabase, freshDatabase } from "../support/postgres.ts"
import { type NodeOptions, openNodes, type TestNode } from "./node.ts"

/** Many rounds of one test take their time on a busy machine. */
const TEST_MS = 90_000

export function stageOf(count: number, options: NodeOptions = {}) {
  vi.setConfig({ testTimeout: TEST_MS })
  let database: FreshDatabase | undefined
  let nodes: TestNode[] = []
  beforeAll(async () => {
    database = await freshDatabase()
    nodes = await openNodes(database.url, count, options)
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await database?.drop()
  })
  const at = (index: number): TestNode => {
    const node = nodes[index % nodes.length]
    if (node === undefined) throw new Error("the nodes are not open yet")
    return node
  }
  return {
    at,
    get a() {
      return at(0)
    },
    get b() {
      return at(1)
    },
    get url() {
      return database?.url ?? ""
    },
  }
}
