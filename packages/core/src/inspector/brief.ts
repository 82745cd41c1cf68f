/**
 * What a step's model is told that is not in the log: instructions, notes, tools. Kept by its hash, so that an unchanged
 * brief costs a look into a table, however many turns are made with it (LOG-15).
 */
import type { StreamId } from "@parlor/protocol"
import type { Tool } from "../agent/tool.ts"
import type { Brief } from "../context/brief.ts"
import { toolSpec } from "../context/tool-spec.ts"
import type { Node } from "../node.ts"
import type { ToolSpec } from "../ports/model.ts"
import { sha256 } from "./sha256.ts"

/** Briefs whose hash is known, and conversations that are known to hold one. */
const BRIEFS = 200
const HOLDS = 5_000

export type KeptBrief = {
  readonly instructions: string
  readonly notes: string
  readonly author: string
  readonly host: string
  readonly tools: readonly ToolSpec[]
}

type Known = { readonly hashes: Map<string, string>; readonly held: Map<string, true> }

const knownBy = new WeakMap<Node, Known>()

/**
 * Its hash, once the conversation holds it. Null when it could not be kept: a turn does not fail for that. At once when
 * all is known.
 */
export function keepBrief(node: Node, stream: StreamId, brief: Brief, host: string): string | Promise<string | null> {
  const known = knownBy.get(node) ?? { hashes: new Map(), held: new Map() }
  knownBy.set(node, known)
  const key = [host, brief.author, brief.instructions, brief.notes, brief.tools.map(toolMark).join()].join("\n\0")
  const hash = known.hashes.get(key)
  if (hash !== undefined && known.held.has(`${stream} ${hash}`)) return hash
  return keep(node, known, { key, stream, content: encoded(brief, host) }).catch((error) => {
    node.log.warn("could not keep what a model was told", { reason: String(error) })
    return null
  })
}

export async function readBrief(node: Node, hash: string): Promise<KeptBrief | undefined> {
  const content = await node.store.blob(hash)
  return content && (JSON.parse(new TextDecoder().decode(content)) as KeptBrief)
}

async function keep(
  node: Node,
  known: Known,
  { key, stream, content }: { readonly key: string; readonly stream: StreamId; readonly content: Uint8Array },
): Promise<string> {
  const hash = sha256(content)
  await node.store.keepBlob(stream, hash, content)
  bounded(known.hashes, BRIEFS).set(key, hash)
  bounded(known.held, HOLDS).set(`${stream} ${hash}`, true)
  return hash
}

function encoded({ instructions, notes, author, tools }: Brief, host: string): Uint8Array {
  const kept: KeptBrief = { instructions, notes, author, host, tools: tools.map(toolSpec) }
  return new TextEncoder().encode(JSON.stringify(kept))
}

/** Tools are made anew for each turn; what they take is described by an object that stays. */
const marks = new WeakMap<object, Map<string, number>>()
let lastMark = 0

function toolMark({ name, description, input, inputSchema }: Tool): number {
  const shape = inputSchema ?? input
  const described = marks.get(shape) ?? new Map<string, number>()
  marks.set(shape, described)
  const text = `${name}\n${description}`
  const known = described.get(text)
  if (known !== undefined) return known
  lastMark += 1
  bounded(described, BRIEFS).set(text, lastMark)
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
