/** Exports each turn that ends as a trace (OPS-13). It reads the turn from the log, after the write that ended it. */
import { createHash } from "node:crypto"
import { type Clock, type Log, type Runtime, reasonFields } from "@parlor/core"
import type { Address, StreamId, TurnRow } from "@parlor/protocol"
import { SpanExporter } from "./span-exporter.ts"
import { turnSpans } from "./turn-spans.ts"

/** Turns that are being read for export. More at once are left out, because reading must not slow down turns. */
const MAX_READING = 64
/** A step that no turn has: no prompt is rebuilt. */
const NO_STEP = 0

export type TracingSettings = {
  /** The full URL of the collector: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly service: string
  /** Whether instructions and messages are part of the spans. */
  readonly content: boolean
}

export type Tracing = { ended(stream: StreamId, turn: TurnRow): void; close(): Promise<void> }

type TracingParts = TracingSettings & {
  readonly runtime: () => Pick<Runtime, "ownedAt" | "inspectTurn"> | undefined
  readonly version: string
  readonly instance: string
  readonly clock: Clock
  readonly log: Log
}

export function traceTurns(parts: TracingParts): Tracing {
  const exporter = new SpanExporter(parts)
  const reading = new Set<Promise<void>>()
  const read = async (address: Address, turn: TurnRow): Promise<void> => {
    try {
      const runtime = parts.runtime()
      if (runtime === undefined) return
      const inspected = await runtime.inspectTurn(address, turn.id, { step: parts.content ? undefined : NO_STEP })
      exporter.add(turnSpans(inspected, { conversation: conversationId(address), content: parts.content }))
    } catch (error) {
      parts.log.warn("turn not traced", { turn: turn.id, ...reasonFields(error) })
    }
  }
  return {
    ended(stream, turn) {
      const address = parts.runtime()?.ownedAt(stream)
      if (address === undefined || reading.size >= MAX_READING) return
      const work = read(address, turn).finally(() => reading.delete(work))
      reading.add(work)
    },
    async close() {
      await Promise.all(reading)
      await exporter.close()
    },
  }
}

/** The same for all turns of a conversation. People's names stay here. */
function conversationId({ agent, person, branch }: Address): string {
  return createHash("sha256")
    .update(JSON.stringify([agent, person, branch]))
    .digest("hex")
    .slice(0, 32)
}
