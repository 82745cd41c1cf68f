/**
 * What a step's model is told that is not in the log: instructions, notes, tools. Stored by hash, so that an unchanged
 * brief costs one lookup per turn (LOG-15).
 */
import type { StreamId } from "@parlor/protocol"
import type { Tool } from "../agent/tool.ts"
import type { Brief } from "../context/brief.ts"
import { toolSpec } from "../context/tool-spec.ts"
import { reasonFields } from "../ports/log.ts"
import type { ToolSpec } from "../ports/model.ts"
import type { Ports } from "../ports/ports.ts"
import { sha256 } from "./sha256.ts"

/** Number of cached briefs, and of cached entries for which conversation has which brief. */
const BRIEFS = 200
const HOLDS = 5_000

export type KeptBrief = {
  readonly instructions: string
  readonly notes: string
  readonly author: string
  readonly host: string
  readonly tools: readonly ToolSpec[]
}

type Encoded = { readonly hash: string; readonly content: Uint8Array }
/** What this process knows: briefs by content, and which conversations have which. */
type Briefs = { readonly ready: Map<string, Encoded>; readonly held: Map<string, true> }

export type BriefAccess = Ports & { readonly briefs: Briefs }

export function noBriefs(): Briefs {
  return { ready: new Map(), held: new Map() }
}

/**
 * Its hash, once it is stored for the conversation. Null if it could not be stored: a turn does not fail for that.
 * Synchronous if everything is cached.
 */
export function keepBrief(
  node: BriefAccess,
  stream: StreamId,
  brief: Brief,
  host: string,
): string | Promise<string | null> {
  const known = node.briefs
  const key = [host, brief.author, brief.instructions, brief.notes, brief.tools.map(toolMark).join()].join("\n\0")
  const ready = known.ready.get(key)
  const made = ready ?? encoded(brief, host)
  if (ready === undefined) bounded(known.ready, BRIEFS).set(key, made)
  if (known.held.has(`${stream} ${made.hash}`)) return made.hash
  return keep(node, stream, made).catch((error) => {
    node.log.warn("could not store the brief of a step", reasonFields(error))
    return null
  })
}

export async function readBrief(node: Ports, hash: string): Promise<KeptBrief | undefined> {
  const content = await node.store.blobs.get(hash)
  return content && (JSON.parse(new TextDecoder().decode(content)) as KeptBrief)
}

async function keep(node: BriefAccess, stream: StreamId, { hash, content }: Encoded): Promise<string> {
  await node.store.blobs.keep(stream, hash, content)
  bounded(node.briefs.held, HOLDS).set(`${stream} ${hash}`, true)
  return hash
}

function encoded({ instructions, notes, author, tools }: Brief, host: string): Encoded {
  const kept: KeptBrief = { instructions, notes, author, host, tools: tools.map(toolSpec) }
  const content = new TextEncoder().encode(JSON.stringify(kept))
  return { hash: sha256(content), content }
}

type Mark = { readonly description: string; readonly number: number }

/** Tools are created again for each turn; their input is described by an object that stays. */
const marks = new WeakMap<object, Map<string, Mark>>()
let lastMark = 0

function toolMark({ name, description, input, inputSchema }: Tool): number {
  const shape = inputSchema ?? input
  const named = marks.get(shape) ?? new Map<string, Mark>()
  marks.set(shape, named)
  const known = named.get(name)
  if (known?.description === description) return known.number
  lastMark += 1
  bounded(named, BRIEFS).set(name, { description, number: lastMark })
  return lastMark
}

function bounded<K, V>(map: Map<K, V>, most: number): Map<K, V> {
  if (map.size < most) return map
  for (const oldest of map.keys()) {
    map.delete(oldest)
    break
  }
  return map
}
