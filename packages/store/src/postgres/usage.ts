/**
 * How much storage each person uses (SEC-23), with the upkeep of that count in small pieces, and the usage of their model
 * calls (SEC-20). Ledger lines are written by `append.ts`, with the append that carries them.
 */
import {
  type DayTotal,
  emptyDay,
  type Spending,
  type Store,
  type Stored,
  type StoredPerson,
  type TotalsQuery,
  type UsageCounts,
} from "@parlor/core"
import type { Millis, UsageTotal } from "@parlor/protocol"
import { DAY_TOTAL, SPENDING, type SpendingRow, toDayTotal, toSpending, toTotal, totalsText } from "../spending-row.ts"
import {
  ADD_STORED,
  COUNTED_EVENTS,
  EVENT_OVERHEAD,
  NOTHING_STORED,
  ONCE_MS,
  PEOPLE,
  PRUNED_KEYS,
  STORED,
  toStored,
} from "../stored-row.ts"
import type { Database, Statement } from "./connect.ts"
import { PRUNE_RATES, SHARE_RATES } from "./functions/call-rates.ts"

const ONE: Statement = { name: "stored", text: STORED.replaceAll("?", "$") }

/** A stream that another node counts or writes to is left for the next time. */
const NEXT = `SELECT id, person, uncounted FROM streams WHERE uncounted > 0 LIMIT 1 FOR UPDATE SKIP LOCKED`
const SUM = `SELECT coalesce(sum(octet_length(value) + ${EVENT_OVERHEAD}), 0)::bigint AS bytes FROM events
  WHERE stream = $1 AND seq > $2 AND seq <= $3`
const NOTE = "UPDATE streams SET bytes = bytes + $1, uncounted = $2 WHERE id = $3"
const ADD = `INSERT INTO stored (person, conversation_bytes) VALUES ($1, $2) ${ADD_STORED}`
const UNCOUNTED: Statement = {
  name: "uncounted",
  text: "SELECT EXISTS (SELECT 1 FROM streams WHERE uncounted > 0) AS more",
}
const PRUNE: Statement = {
  name: "prune-once",
  text: `WITH old AS (
      SELECT stream, key FROM once WHERE at <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ONCE_MS}
      ORDER BY at LIMIT ${PRUNED_KEYS} FOR UPDATE SKIP LOCKED
    ) DELETE FROM once USING old WHERE once.stream = old.stream AND once.key = old.key RETURNING 1 AS one`,
}

const TOTAL: Statement = { name: "day-total", text: counted(dollars(DAY_TOTAL)) }
const EVERYONE: Statement = { name: "people", text: dollars(PEOPLE) }
const LINES: Statement = { name: "spending", text: dollars(SPENDING) }

export function usagePart(db: Database): UsageCounts {
  return {
    stored: (person) => stored(db, person),
    dayTotal: (person, day) => dayTotal(db, person, day),
    spending: (person, page) => spending(db, person, page),
    totals: (query) => totals(db, query),
    people: (page) => people(db, page),
  }
}

/** A server that says nothing for this long is forgotten. */
const STREAMS_MS = 60_000
const STREAMS: Statement = { name: "open-streams", text: "SELECT * FROM parlor_open_streams($1, $2, $3, $4)" }

export async function openStreams(
  db: Database,
  node: string,
  counts: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const values = [node, [...counts.keys()], [...counts.values()], STREAMS_MS]
  const rows = await db.write<{ whose: string; elsewhere: number }>(STREAMS, values)
  return new Map(rows.map(({ whose, elsewhere }) => [whose, elsewhere]))
}

/** No bucket is further ahead, even if a clock was set back. */
const MAX_AHEAD_MS = 10 * 60_000
const SHARE: Statement = { name: "share-rates", text: SHARE_RATES }
const PRUNE_SHARED: Statement = { name: "prune-rates", text: PRUNE_RATES }

export async function shareRates(
  db: Database,
  added: Parameters<NonNullable<Store["shareRates"]>>[0],
): Promise<ReadonlyMap<string, Millis>> {
  const costs = [...added.values()].map(({ cost }) => cost)
  const ages = [...added.values()].map(({ agoMs }) => agoMs)
  const values = [[...added.keys()], costs, ages, MAX_AHEAD_MS]
  const rows = await db.write<{ whose: string; ahead: number }>(SHARE, values)
  return new Map(rows.map(({ whose, ahead }) => [whose, ahead]))
}

async function stored(db: Database, person: string): Promise<Stored> {
  const [row] = await db.lookUp<Stored>(ONE, [person])
  return row === undefined ? NOTHING_STORED : toStored(row)
}

export async function upkeep(db: Database): Promise<boolean> {
  const [uncounted] = await db.read<{ more: boolean }>(UNCOUNTED, [])
  if (uncounted?.more) {
    await countSlice(db)
    return true
  }
  if ((await db.write(PRUNE, [])).length === PRUNED_KEYS) return true
  await db.write(PRUNE_SHARED, [])
  return false
}

function countSlice(db: Database): Promise<void> {
  return db.transaction(async (client) => {
    const [next] = (await client.query<{ id: number; person: string; uncounted: number }>(NEXT)).rows
    if (next === undefined) return
    const left = Math.max(0, next.uncounted - COUNTED_EVENTS)
    const bytes = (await client.query<{ bytes: number }>(SUM, [next.id, left, next.uncounted])).rows[0]?.bytes ?? 0
    await client.query(NOTE, [bytes, left, next.id])
    await client.query(ADD, [next.person, bytes])
  })
}

async function dayTotal(db: Database, person: string, day: string): Promise<DayTotal> {
  const [row] = await db.lookUp<DayTotal>(TOTAL, [person, day])
  return row === undefined ? emptyDay : toDayTotal(row)
}

async function spending(
  db: Database,
  person: string,
  { since, limit }: Parameters<UsageCounts["spending"]>[1],
): Promise<Spending[]> {
  return (await db.read<SpendingRow>(LINES, [person, since, limit])).map(toSpending)
}

async function totals(db: Database, { since, by, limit }: TotalsQuery): Promise<UsageTotal[]> {
  const statement = { name: `totals-${by.join("-")}`, text: counted(dollars(totalsText(by))) }
  return (await db.read<UsageTotal>(statement, [since, limit])).map(toTotal)
}

async function people(db: Database, { after, limit }: Parameters<UsageCounts["people"]>[0]): Promise<StoredPerson[]> {
  const rows = await db.read<StoredPerson>(EVERYONE, [after, limit])
  return rows.map((row) => ({ person: row.person, ...toStored(row) }))
}

function dollars(text: string): string {
  return text.replaceAll("?", "$")
}

/** A sum of bigints is numeric, which the driver reads as text. */
function counted(text: string): string {
  return text.replaceAll(", 0) AS", ", 0)::bigint AS")
}
