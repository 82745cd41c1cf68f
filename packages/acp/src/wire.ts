/**
 * ACP messages over the standard streams of a process, one JSON text per line.
 *
 * Updates of sessions are the bulk of it and are passed on directly; everything else goes through the SDK. Lines that
 * are no JSON-RPC messages are ignored: some programs print warnings there.
 */
import type { ChildProcess } from "node:child_process"
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk"

/** Of one message. An agent that sends a longer one is disconnected. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
const NEWLINE = 10

export type WireOptions = {
  /** The parameters of a `session/update`, not checked. */
  readonly onUpdate: (params: unknown) => void
  readonly onTooLong: () => void
}

export function openWire({ stdin, stdout }: ChildProcess, { onUpdate, onTooLong }: WireOptions): Stream {
  let pending: Buffer[] = []
  let bytes = 0
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      const take = (line: Buffer) => {
        const message = parse(line.toString("utf8"))
        if (message === undefined) return
        if ("method" in message && message.method === "session/update" && !("id" in message)) onUpdate(message.params)
        else controller.enqueue(message)
      }
      stdout?.on("data", (chunk: Buffer) => {
        let from = 0
        for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
          const rest = chunk.subarray(from, end)
          take(pending.length === 0 ? rest : Buffer.concat([...pending, rest]))
          pending = []
          bytes = 0
          from = end + 1
        }
        if (from === chunk.length) return
        bytes += chunk.length - from
        if (bytes > MAX_MESSAGE_BYTES) {
          pending = []
          bytes = 0
          onTooLong()
        } else pending.push(chunk.subarray(from))
      })
      stdout?.once("close", () => {
        try {
          controller.close()
        } catch {
          // The connection was closed first.
        }
      })
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise<void>((resolve, reject) => {
        if (stdin === null || stdin.destroyed) reject(new Error("The agent's input is closed."))
        else stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      }),
  })
  return { readable, writable }
}

function parse(line: string): AnyMessage | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isMessage = typeof value === "object" && value !== null && !Array.isArray(value) && "jsonrpc" in value
    return isMessage ? (value as AnyMessage) : undefined
  } catch {
    return undefined
  }
}
