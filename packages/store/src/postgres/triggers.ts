/** Triggers and firings. A change and its firings are one transaction; writers of one trigger wait for each other. */
import type { AuditEntry, FiringRecord, TriggerKind, TriggerRecord, Triggers } from "@parlor/core"
import { limits, type StreamId } from "@parlor/protocol"
import type { PoolClient } from "pg"
import {
  FIRING_COLUMNS,
  type FiringRow,
  TRIGGER_COLUMNS,
  type TriggerRow,
  toFiring,
  toTrigger,
} from "../trigger-row.ts"
import { addAudit, type Database, type Statement } from "./connect.ts"
import { shareName } from "./functions/link.ts"

type Bounds = Parameters<Triggers["add"]>[1]
type Page = Parameters<Triggers["due"]>[2]

const SELECT = `SELECT ${TRIGGER_COLUMNS} FROM triggers`
const OF_PERSON: Statement = {
  name: "triggers",
  text: `${SELECT} WHERE person = $1 AND kind = ANY($2) ORDER BY created_at, id`,
}
const ON_STREAM: Statement = {
  name: "triggers-on",
  text: `${SELECT} WHERE stream = $1 AND kind = $2 ORDER BY created_at, id`,
}
const ONE: Statement = { name: "trigger", text: `${SELECT} WHERE id = $1` }
const BY_ID: Statement = {
  name: "triggers-by-id",
  text: `${SELECT} WHERE id > $1 AND kind = ANY($2) ORDER BY id LIMIT $3`,
}
const DUE: Statement = {
  name: "due-triggers",
  text: `${SELECT} WHERE look_at <= $1 AND (look_at, id) > ($2, $3) AND kind = ANY($4) ORDER BY look_at, id LIMIT $5`,
}
const NEXT: Statement = {
  name: "next-look",
  text: "SELECT look_at FROM triggers WHERE look_at IS NOT NULL AND kind = ANY($1) ORDER BY look_at, id LIMIT 1",
}
const FIRINGS: Statement = {
  name: "firings",
  text: `SELECT newest.* FROM unnest($1::text[]) WITH ORDINALITY AS wanted (trigger, place), LATERAL (
      SELECT ${FIRING_COLUMNS} FROM firings WHERE trigger_id = wanted.trigger ORDER BY at DESC, id DESC LIMIT $2
    ) AS newest ORDER BY wanted.place, newest.at DESC, newest.id DESC`,
}
const SENT: Statement = {
  name: "count-sent",
  text: `SELECT count(*) AS count FROM firings JOIN triggers ON triggers.id = trigger_id
    WHERE triggers.stream = $1 AND triggers.kind = $2 AND firings.kind = 'sent' AND at >= $3`,
}

const ADD_PERSON = "INSERT INTO people (person) VALUES ($1) ON CONFLICT DO NOTHING"
const LOCK_PERSON = "SELECT 1 FROM people WHERE person = $1 FOR UPDATE"
/** Before its conversation is locked: linking the name locks in this order too. */
const SHARE_NAME = `SELECT ${shareName("$1")}`
/** Locked against removal in the meantime. */
const LOCK_STREAM = "SELECT 1 FROM streams WHERE id = $1 FOR KEY SHARE"
const COUNT = "SELECT count(*) AS count FROM triggers WHERE live AND kind = $1"
const ADD = `INSERT INTO triggers (${TRIGGER_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`
const OVER = `SELECT id FROM triggers WHERE stream = $1 AND kind = $2 AND NOT live
  ORDER BY created_at DESC, id DESC OFFSET $3`
const CHANGE = "UPDATE triggers SET look_at = $1, live = $2, version = $3, value = $4 WHERE id = $5 AND version = $6"
const LOCK = "SELECT 1 FROM triggers WHERE id = $1 FOR UPDATE"
/** Some of them may be deleted; see `lockTriggers`. */
const LOCK_OVER = "SELECT 1 FROM triggers WHERE stream = $1 AND kind = $2 AND NOT live ORDER BY id FOR UPDATE"
const PUT = `
  INSERT INTO firings (${FIRING_COLUMNS}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (trigger_id, id) DO UPDATE
  SET at = excluded.at, kind = excluded.kind, value = excluded.value WHERE firings.kind <> 'sent'`
const PRUNE = `
  DELETE FROM firings WHERE trigger_id = $1 AND (kind = 'refused') = $2 AND id IN (
    SELECT id FROM firings WHERE trigger_id = $1 AND (kind = 'refused') = $2 ORDER BY at DESC, id DESC OFFSET $3)`

export function triggersPart(db: Database): Triggers {
  return {
    of: (person, kinds) => triggersOf(db, person, kinds),
    on: (stream, kind) => triggersOn(db, stream, kind),
    get: (id) => findTrigger(db, id),
    byId: (kinds, page) => triggersById(db, kinds, page),
    add: (record, bounds, audit) => addTrigger(db, record, bounds, audit),
    change: (record, firings) => changeTrigger(db, record, firings),
    delete: (id, audit) => deleteTrigger(db, id, audit),
    due: (kinds, now, page) => dueTriggers(db, kinds, now, page),
    nextLook: (kinds) => nextLook(db, kinds),
    firings: (wanted, most) => firings(db, wanted, most),
    putFiring: (firing) => putFiring(db, firing),
    countSent: (stream, kind, since) => countSent(db, stream, kind, since),
  }
}

async function triggersOf(db: Database, person: string, kinds: readonly TriggerKind[]): Promise<TriggerRecord[]> {
  return (await db.read<TriggerRow>(OF_PERSON, [person, kinds])).map(toTrigger)
}

async function triggersOn(db: Database, stream: StreamId, kind: TriggerKind): Promise<TriggerRecord[]> {
  return (await db.read<TriggerRow>(ON_STREAM, [stream, kind])).map(toTrigger)
}

async function findTrigger(db: Database, id: string): Promise<TriggerRecord | undefined> {
  const [row] = await db.read<TriggerRow>(ONE, [id])
  return row && toTrigger(row)
}

async function triggersById(
  db: Database,
  kinds: readonly TriggerKind[],
  { after, limit }: Parameters<Triggers["byId"]>[1],
): Promise<TriggerRecord[]> {
  return (await db.read<TriggerRow>(BY_ID, [after, kinds, limit])).map(toTrigger)
}

async function dueTriggers(
  db: Database,
  kinds: readonly TriggerKind[],
  now: number,
  { limit, after }: Page,
): Promise<TriggerRecord[]> {
  const from = [after?.lookAt ?? -1, after?.id ?? ""]
  return (await db.read<TriggerRow>(DUE, [now, ...from, kinds, limit])).map(toTrigger)
}

async function nextLook(db: Database, kinds: readonly TriggerKind[]): Promise<number | undefined> {
  const [row] = await db.read<{ look_at: number }>(NEXT, [kinds])
  return row?.look_at
}

async function firings(db: Database, wanted: readonly string[], most: number): Promise<FiringRecord[]> {
  return (await db.read<FiringRow>(FIRINGS, [wanted, most])).map(toFiring)
}

async function countSent(db: Database, stream: StreamId, kind: TriggerKind, since: number): Promise<number> {
  const [row] = await db.read<{ count: number }>(SENT, [stream, kind, since])
  return row?.count ?? 0
}

function addTrigger(
  db: Database,
  record: TriggerRecord,
  { per, most }: Bounds,
  audit?: AuditEntry,
): Promise<"added" | "known" | "full" | "gone"> {
  const { id, kind, person, stream, lookAt, live, version, createdAt, value } = record
  return db.transaction(async (client) => {
    await client.query(ADD_PERSON, [person])
    await client.query(LOCK_PERSON, [person])
    if ((await client.query(LOCK, [id])).rowCount !== 0) return "known"
    await client.query(SHARE_NAME, [person])
    if (stream !== null && (await client.query(LOCK_STREAM, [stream])).rowCount === 0) return "gone"
    if (live && (await countLive(client, record, per)) >= most) return "full"
    const cells = [id, kind, person, stream, lookAt, live, version, createdAt, value]
    await client.query(LOCK_OVER, [stream, kind])
    if ((await client.query(ADD, cells)).rowCount === 0) return "known"
    const over = await client.query<{ id: string }>(OVER, [stream, kind, limits.firings])
    for (const { id: old } of over.rows) await drop(client, old)
    if (audit !== undefined) await addAudit(client, audit)
    return "added"
  })
}

function changeTrigger(db: Database, record: TriggerRecord, firings: readonly FiringRecord[] = []): Promise<boolean> {
  const { id, lookAt, live, version, value } = record
  return db.transaction(async (client) => {
    if ((await client.query(CHANGE, [lookAt, live, version, value, id, version - 1])).rowCount === 0) return false
    for (const firing of firings) await write(client, firing)
    return true
  })
}

function deleteTrigger(db: Database, id: string, audit?: AuditEntry): Promise<boolean> {
  return db.transaction(async (client) => {
    if (!(await drop(client, id))) return false
    if (audit !== undefined) await addAudit(client, audit)
    return true
  })
}

async function putFiring(db: Database, firing: FiringRecord): Promise<void> {
  await db.transaction((client) => write(client, firing))
}

/** Before anything is counted: a change to one of them counts it while its row is locked. */
export async function lockTriggers(client: PoolClient, stream: StreamId): Promise<void> {
  await client.query("SELECT 1 FROM triggers WHERE stream = $1 ORDER BY id FOR UPDATE", [stream])
}

/** Within the transaction that removes the stream. */
export async function releaseTriggers(client: PoolClient, stream: StreamId): Promise<void> {
  await client.query("DELETE FROM firings WHERE trigger_id IN (SELECT id FROM triggers WHERE stream = $1)", [stream])
  await client.query("DELETE FROM triggers WHERE stream = $1", [stream])
}

async function countLive(client: PoolClient, record: TriggerRecord, per: Bounds["per"]): Promise<number> {
  const text = `${COUNT} AND ${per === "person" ? "person = $2" : "stream IS NOT DISTINCT FROM $2"}`
  const counted = await client.query<{ count: number }>(text, [record.kind, record[per]])
  return counted.rows[0]?.count ?? 0
}

async function write(client: PoolClient, { trigger, id, at, kind, value }: FiringRecord): Promise<void> {
  if ((await client.query(LOCK, [trigger])).rowCount === 0) return
  await client.query(PUT, [trigger, id, at, kind, value])
  const isRefused = kind === "refused"
  await client.query(PRUNE, [trigger, isRefused, isRefused ? limits.firingsRefused : limits.firings])
}

async function drop(client: PoolClient, id: string): Promise<boolean> {
  await client.query(LOCK, [id])
  await client.query("DELETE FROM firings WHERE trigger_id = $1", [id])
  return (await client.query("DELETE FROM triggers WHERE id = $1", [id])).rowCount !== 0
}
