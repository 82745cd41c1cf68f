/**
 * Standing permissions of a person (ASK-4): which tools an agent may use without asking. They are rows of the person's
 * feed, so they last, are deleted with the person, and are read again for each call: a revoked one counts at once.
 */
import {
  type Address,
  type GrantRow,
  limits,
  type NewChange,
  parseRow,
  Refusal,
  type StreamId,
  type TxId,
} from "@parlor/protocol"
import { feedStream } from "../log/address.ts"
import type { LogAccess } from "../log/log-access.ts"
import { rowChange } from "../log/row-change.ts"

export type Grantable = { readonly agent: string; readonly tool: string }

/** Newest first. */
export async function listGrants(node: LogAccess, person: string): Promise<readonly GrantRow[]> {
  return read(node, await feedStream(node, person))
}

export async function revokeGrant(node: LogAccess, person: string, id: string, txid: TxId): Promise<void> {
  const feed = await feedStream(node, person)
  const row = (await read(node, feed)).find((one) => one.id === id)
  if (row === undefined) throw new Refusal("grant.unknown", `There is no permission ${id}.`)
  await write(node, feed, { collection: "grants", key: id, operation: "delete", row }, txid)
}

/** Allows a tool in one conversation, or in all conversations with an agent. Doing it again changes nothing. */
export async function grant(
  node: LogAccess,
  { person, branch }: Address,
  { agent, tool }: Grantable,
  scope: "conversation" | "agent",
  txid: TxId,
): Promise<void> {
  const feed = await feedStream(node, person)
  const held = await read(node, feed)
  const row: GrantRow = {
    id: idOf(agent, scope === "agent" ? null : branch, tool),
    agent,
    branch: scope === "agent" ? null : branch,
    tool,
    at: node.clock.now(),
  }
  if (held.some(({ id }) => id === row.id)) return
  if (held.length >= limits.grants)
    throw new Refusal("grant.full", `At most ${limits.grants} tools can be allowed. Revoke one first.`, "/always")
  await write(node, feed, { collection: "grants", key: row.id, operation: "insert", row }, txid)
}

export async function isGranted(node: LogAccess, address: Address, { agent, tool }: Grantable): Promise<boolean> {
  const held = await listGrants(node, address.person)
  return held.some(
    (row) => row.agent === agent && row.tool === tool && (row.branch === null || row.branch === address.branch),
  )
}

/** Parts are encoded, so that no two permissions share an id. */
function idOf(agent: string, branch: string | null, tool: string): string {
  return [agent, branch ?? "*", tool].map((part) => encodeURIComponent(part).replaceAll(".", "%2E")).join(".")
}

async function read(node: LogAccess, feed: StreamId): Promise<readonly GrantRow[]> {
  const rows = (await node.store.log.read(feed, [{ collection: "grants" }]))?.lists[0] ?? []
  return rows.map((row) => parseRow("grants", row.value)).sort((a, b) => b.at - a.at)
}

async function write(node: LogAccess, feed: StreamId, change: NewChange, txid: TxId): Promise<void> {
  await node.writer.append({ stream: feed, changes: [rowChange(change)], txid, at: node.clock.now() })
}
