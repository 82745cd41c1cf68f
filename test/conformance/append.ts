/**
 * Whether an append of the Durable Streams protocol is taken: closure, content type, Stream-Seq and producers.
 *
 * Pure: it looks at what is known of a stream and says what to answer and what is known afterwards.
 */
import { formatOffset, type TxId } from "@parlor/protocol"

/** What every write of the suite is called. */
export const TXID = "tx_conformance" as TxId

export type Producer = { readonly id: string; readonly epoch: number; readonly seq: number }

/** What a test stream has besides its events. */
export type Known = {
  readonly contentType: string
  readonly closed: boolean
  readonly closedBy?: Producer
  readonly seq?: string
  readonly producers: ReadonlyMap<string, Producer>
}

export type AppendAsked = {
  readonly contentType: string | undefined
  readonly body: Buffer
  readonly close: boolean
  readonly seq: string | undefined
  readonly producer: Producer | undefined
}

export type Decision =
  | { readonly taken: false; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly taken: true; readonly status: number; readonly values: readonly string[]; readonly known: Known }

export function decideAppend(known: Known, asked: AppendAsked, head: number): Decision {
  const { body, close, producer } = asked
  if (body.length === 0 && !close) return refused(400)
  if (known.closed) return decideClosed(known, asked, head)
  if (body.length > 0 && asked.contentType === undefined) return refused(400)
  if (body.length > 0 && !sameType(asked.contentType ?? "", known.contentType)) return refused(409)
  const values = body.length === 0 ? [] : valuesOf(known.contentType, body)
  if (values === undefined || (values.length === 0 && body.length > 0)) return refused(400)
  const unfit = producer && checkProducer(known.producers.get(producer.id), producer)
  if (unfit) return unfit
  if (asked.seq !== undefined && known.seq !== undefined && asked.seq <= known.seq) return refused(409)
  return {
    taken: true,
    status: producer && body.length > 0 ? 200 : 204,
    values,
    known: {
      ...known,
      closed: close,
      ...(close && producer ? { closedBy: producer } : {}),
      ...(asked.seq === undefined ? {} : { seq: asked.seq }),
      producers: producer ? new Map(known.producers).set(producer.id, producer) : known.producers,
    },
  }
}

export function producerHeaders(producer: Producer | undefined): Record<string, string> {
  return producer ? { "producer-epoch": String(producer.epoch), "producer-seq": String(producer.seq) } : {}
}

export function sameType(a: string, b: string): boolean {
  return mediaType(a) === mediaType(b)
}

/** The values of the events that hold this body; undefined when it is not what its type says. */
export function valuesOf(contentType: string, body: Buffer): readonly string[] | undefined {
  if (mediaType(contentType) !== "application/json") return [body.toString("base64")]
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"))
    return (Array.isArray(parsed) ? parsed : [parsed]).map((value) => JSON.stringify(value))
  } catch {
    return undefined
  }
}

function mediaType(contentType: string): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? ""
}

function decideClosed(known: Known, asked: AppendAsked, head: number): Decision {
  const headers = { "stream-closed": "true", "stream-next-offset": formatOffset(head, TXID) }
  const { producer } = asked
  const repeats = producer ? isSame(producer, known.closedBy) : asked.body.length === 0 && asked.close
  return { taken: false, status: repeats ? 204 : 409, headers: { ...headers, ...producerHeaders(producer) } }
}

function checkProducer(last: Producer | undefined, given: Producer): Decision | undefined {
  if (last !== undefined && given.epoch < last.epoch)
    return refused(403, { "producer-epoch": String(last.epoch), "producer-seq": String(last.seq) })
  if (last !== undefined && given.epoch > last.epoch && given.seq !== 0) return refused(400)
  const expected = last === undefined || given.epoch > last.epoch ? 0 : last.seq + 1
  if (given.seq > expected)
    return refused(409, { "producer-expected-seq": String(expected), "producer-received-seq": String(given.seq) })
  return given.seq < expected ? refused(204, producerHeaders(last)) : undefined
}

function refused(status: number, headers: Readonly<Record<string, string>> = {}): Decision {
  return { taken: false, status, headers }
}

function isSame(a: Producer, b: Producer | undefined): boolean {
  return b !== undefined && a.id === b.id && a.epoch === b.epoch && a.seq === b.seq
}
