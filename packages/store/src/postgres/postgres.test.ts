import type { AuditEntry } from "@parlor/core"
import { Fault } from "@parlor/protocol"
import pg from "pg"
import { describe, expect, test, vi } from "vitest"
import { freshDatabase, startPostgres } from "../../../../test/support/postgres.ts"
import { startBlackHole } from "../../test/black-hole.ts"
import { storeContract } from "../../test/contract.ts"
import { allEvents, append, change, commitOne, committed, newConversation } from "../../test/fixtures.ts"
import { openPostgres } from "./open.ts"

storeContract("PostgreSQL", async () => {
  const database = await freshDatabase()
  const store = await openPostgres({ url: database.url })
  return {
    store,
    readAudit: async () => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const { rows } = await client.query<AuditEntry>("SELECT at, person, act, subject FROM parlor.audit ORDER BY id")
      await client.end()
      return rows
    },
    dispose: async () => {
      await store.close()
      await database.drop()
    },
  }
})

describe("PostgreSQL", () => {
  test("while the server is down calls fail with a Fault; when it is back they work", async () => {
    const server = await startPostgres()
    const store = await openPostgres({ url: server.url })
    try {
      const { id } = await newConversation(store)
      await committed(store, append(id, [change("queue", "a")]))
      await server.stop()
      await expect(commitOne(store, append(id, [change("queue", "b")]))).rejects.toBeInstanceOf(Fault)
      await expect(store.log.events(id, 0, { count: 9, bytes: 999 })).rejects.toBeInstanceOf(Fault)
      await server.start()
      await vi.waitFor(() => committed(store, append(id, [change("queue", "c")])), { timeout: 5_000 })
      expect((await allEvents(store, id)).map((event) => event.key)).toEqual(["a", "c"])
    } finally {
      await store.close()
      await server.remove()
    }
  }, 30_000)

  test("[LOG-1] nodes that start and write together keep the log gapless, without deadlocks", async () => {
    const database = await freshDatabase()
    const nodes = await Promise.all([1, 2, 3].map(() => openPostgres({ url: database.url })))
    try {
      const [first] = nodes
      if (first === undefined) throw new Error("no node")
      const streams = await Promise.all([1, 2, 3, 4].map(() => newConversation(first, `p${Math.random()}`)))
      const feed = await first.log.ensure({ kind: "feed", person: "shared" })
      const work = nodes.flatMap((node, n) =>
        Array.from({ length: 15 }, (_, i) => {
          const order = (i + n) % 2 === 0 ? streams : streams.toReversed()
          const feedChanges = { stream: feed.id, changes: [change("conversations", `${n}/${i}`)] }
          return node.log.commit(
            order.map(({ id }) => append(id, [change("queue", `${n}-${i}`)], { feed: feedChanges })),
          )
        }),
      )
      const answers = (await Promise.all(work)).flat()
      expect(answers.every((answer) => answer.ok)).toBe(true)
      for (const { id } of streams) expect((await allEvents(first, id)).map((event) => event.seq)).toEqual(numbers(45))
      expect((await allEvents(first, feed.id)).map((event) => event.seq)).toEqual(numbers(180))
    } finally {
      for (const node of nodes) await node.close()
      await database.drop()
    }
  }, 30_000)

  test("a database of a newer Parlor is rejected", async () => {
    const database = await freshDatabase()
    const store = await openPostgres({ url: database.url })
    await store.close()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query("UPDATE parlor.meta SET value = '999'")
    await client.end()
    await expect(openPostgres({ url: database.url })).rejects.toThrow(/schema 999/)
    await database.drop()
  })

  test("[LOG-2] slash commands stored under the older name of their collection are read under the new one", async () => {
    const database = await freshDatabase()
    const store = await openPostgres({ url: database.url })
    const { id } = await newConversation(store)
    await committed(store, append(id, [change("slashCommands", "order"), change("slashCommands", "help")]))
    await store.close()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`
      SET search_path = parlor;
      UPDATE events SET collection = 'commands' WHERE collection = 'slashCommands';
      UPDATE rows SET collection = 'commands' WHERE collection = 'slashCommands';
      UPDATE meta SET value = '11' WHERE name = 'schema';
    `)
    await client.end()
    for (let round = 0; round < 2; round++) {
      const again = await openPostgres({ url: database.url })
      expect((await allEvents(again, id)).map(({ collection }) => collection)).toEqual([
        "slashCommands",
        "slashCommands",
      ])
      const rows = (await again.log.read(id, [{ collection: "slashCommands" }]))?.lists[0]
      expect(rows?.map(({ key }) => key)).toEqual(["help", "order"])
      await again.close()
    }
    await database.drop()
  })

  test("[LOG-21] an unreachable server blocks nobody for more than 5 s", async () => {
    const database = await freshDatabase()
    const proxy = await startBlackHole(database.url)
    const store = await openPostgres({ url: proxy.url })
    try {
      const { id, key } = await newConversation(store)
      await committed(store, append(id, [change("queue", "a")]))
      proxy.swallow(true)
      const began = performance.now()
      const works = [
        ...Array.from({ length: 8 }, (_, n) => commitOne(store, append(id, [change("queue", `lost${n}`)]))),
        ...Array.from({ length: 8 }, () => store.log.events(id, 0, { count: 9, bytes: 999 })),
        store.log.find(key),
        store.log.remove(id, { audit: { at: 1, person: "p", act: "remove", subject: "s" } }),
      ]
      for (const { status, ...rest } of await Promise.allSettled(works)) {
        expect(status).toBe("rejected")
        expect("reason" in rest && rest.reason).toBeInstanceOf(Fault)
      }
      expect(performance.now() - began).toBeLessThan(5_000)
      proxy.swallow(false)
      await vi.waitFor(() => committed(store, append(id, [change("queue", "back")])), { timeout: 10_000 })
      const keys = (await allEvents(store, id)).map((event) => event.key)
      expect([keys[0], keys.at(-1)]).toEqual(["a", "back"])
    } finally {
      await proxy.close()
      await store.close()
      await database.drop()
    }
  }, 60_000)

  test("a missing server is a Fault", async () => {
    await expect(openPostgres({ url: "postgres://nobody@127.0.0.1:1/none" })).rejects.toBeInstanceOf(Fault)
  })
})

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1)
}
