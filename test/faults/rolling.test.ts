/**
 * Three servers on one PostgreSQL behind a balancer, drained and replaced one after another while people talk. Their
 * programs use the SDK as it is and handle no error. `--long` runs 5,000 turns.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Conversation, Parlor } from "@parlor/client"
import { type ChangeEvent, emptyRows, fold, type MessageRow, type Rows } from "@parlor/protocol"
import { expect, test } from "vitest"
import { freshDatabase } from "../support/postgres.ts"
import { isLong, rounds } from "../support/rounds.ts"
import { startBalancer } from "./balancer.ts"
import { checkLog, checkRest } from "./check-log.ts"
import { checkOutput } from "./comparison.ts"
import { startFakeModel } from "./fake-model.ts"
import { type ServerProcess, spawnServer, TOKEN } from "./server-process.ts"
import { sleep } from "./waiting.ts"
import { readLog } from "./wire.ts"

const PEOPLE = rounds({ usual: 10, long: 50 })
const TURNS_EACH = rounds({ usual: 15, long: 100 })
const NODES = ["a", "b", "c"] as const
const TOKEN_MS = 15
/** How long a server runs before it is drained. */
const SERVING_MS = 500
const TEST_MS = isLong ? 60 * 60_000 : 300_000
/** Longer than the test, so that a takeover that waited for the lease would fail it. */
const LEASE_MS = "600000"

test(
  "[TRN-19, LOG-32] servers drained one after another: no turn lost, none doubled, no error to handle",
  async () => {
    const model = await startFakeModel({ tokenMs: TOKEN_MS })
    const database = await freshDatabase()
    const folder = await mkdtemp(join(tmpdir(), "parlor-rolling-"))
    const balancer = await startBalancer()
    const running = new Map<string, ServerProcess>()

    async function start(name: string): Promise<void> {
      const server = spawnServer({
        dataFolder: join(folder, name),
        modelUrl: model.url,
        databaseUrl: database.url,
        env: {
          PARLOR_DRAIN_MS: "20000",
          PARLOR_LEASE_MS: LEASE_MS,
          PARLOR_ALLOWED_HOSTS: `127.0.0.1:${balancer.port}`,
        },
      })
      running.set(name, server)
      await server.ready
      await aim()
    }

    /** The balancer is told about a new server, but never that one is about to stop: it has to find out. */
    async function aim(): Promise<void> {
      const urls = await Promise.all([...running.values()].map(({ ready }) => ready.catch(() => "")))
      balancer.setTargets(urls.filter(Boolean).map((url) => Number(new URL(url).port)))
    }

    const talks = Array.from({ length: PEOPLE }, (_, n) => {
      const parlor = new Parlor({ baseUrl: `http://127.0.0.1:${balancer.port}`, token: TOKEN })
      return talkOf(parlor.conversation("host", `talk-${n}`), n)
    })
    let drains = 0
    try {
      for (const name of NODES) await start(name)
      for (const talk of talks) await talk.make()
      let isOver = false
      const talking = Promise.all(talks.map((talk) => talk.run())).finally(() => {
        isOver = true
      })
      const replacing = (async () => {
        for (let n = 0; !isOver || drains < NODES.length; n++) {
          const name = NODES[n % NODES.length] ?? NODES[0]
          await sleep(SERVING_MS)
          const server = running.get(name)
          expect(await server?.stop(), server?.output()).toBe(0)
          if (server !== undefined) checkOutput(server)
          drains += 1
          await start(name)
        }
      })()
      await Promise.all([talking, replacing])
      const url = await running.get(NODES[0])?.ready
      let answers = 0
      for (const talk of talks) {
        const log = await readLog(url ?? "", talk.name, 0)
        expect([...checkLog(log), ...checkRest(log)], talk.name).toEqual([])
        answers += checkTurns(
          fold(
            emptyRows(),
            log.map(({ event }) => event),
          ),
          talk.sent,
        )
        // What the SDK delivered, across all servers, equals the log.
        expect(talk.seen, talk.name).toEqual(log.map(({ event }) => event.headers.offset))
      }
      // Every model call has its message: no step was repeated.
      expect(answers).toBe(model.asked)
      expect(model.refusable).toEqual([])
      console.info(`rolling: ${PEOPLE * TURNS_EACH} turns, ${model.asked} model calls, ${drains} drains`)
    } finally {
      for (const talk of talks) talk.leave()
      await Promise.all([...running.values()].map((server) => server.kill()))
      await balancer.close()
      await model.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    }
  },
  TEST_MS,
)

/** One person: sends, waits for the answer, sends again. */
function talkOf(conversation: Conversation, number: number) {
  const sent: string[] = []
  const seen: string[] = []
  const over = new AbortController()

  async function run(): Promise<void> {
    await conversation.send(next())
    const rows = emptyRows()
    for await (const changes of conversation.follow({ offset: "-1", signal: over.signal })) {
      fold(rows, changes)
      seen.push(...changes.map(({ headers }) => headers.offset))
      if (!isAnswered(rows, changes, sent.at(-1) ?? "")) continue
      if (sent.length === TURNS_EACH) return
      await conversation.send(next())
    }
  }

  function next(): string {
    sent.push(`Message ${sent.length + 1} of person ${number}`)
    return sent.at(-1) ?? ""
  }

  return {
    name: `host/${conversation.branch}`,
    sent,
    seen,
    run,
    make: () => conversation.make(),
    leave: () => over.abort(),
  }
}

/** Checked only when a turn may have ended, once per turn. */
function isAnswered(rows: Rows, changes: readonly ChangeEvent[], text: string): boolean {
  if (!changes.some(({ type }) => type === "status") || rows.status.get("status")?.state !== "idle") return false
  const message = [...rows.messages.values()].find((row) => row.role === "person" && textOf(row) === text)
  return (
    message !== undefined &&
    [...rows.turns.values()].some((turn) => turn.message === message.id && turn.endedAt !== null)
  )
}

/** Each message once, in order, each answered by one turn that is done. Returns how many messages the agent has said. */
function checkTurns(rows: Rows, sent: readonly string[]): number {
  const messages = [...rows.messages.values()].sort((a, b) => a.ord - b.ord)
  expect(messages.filter(({ role }) => role === "person").map(textOf)).toEqual(sent)
  expect(messages.filter(({ state }) => state !== "done")).toEqual([])
  expect([...rows.turns.values()].map(({ state }) => state)).toEqual(sent.map(() => "done"))
  return messages.filter(({ role }) => role === "agent").length
}

function textOf({ parts }: MessageRow): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("")
}
