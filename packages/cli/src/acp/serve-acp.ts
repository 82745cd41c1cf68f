/** `parlor acp`: conversations of a running server for an editor, over standard input and output (API-25). */
import { Readable, Writable } from "node:stream"
import { ndJsonStream } from "@agentclientprotocol/sdk"
import { explain } from "../explain.ts"
import { type ConnectionOptions, connect } from "../settings.ts"
import { acpAgent } from "./agent.ts"

export type AcpOptions = ConnectionOptions & { readonly agent?: string; readonly version: string }

/** Standard output carries the protocol and nothing else. */
export async function serveAcp(options: AcpOptions): Promise<number> {
  const note = (problem: unknown) => void process.stderr.write(`${explain(problem)}\n`)
  const { app, leave } = acpAgent({ connect: () => connect(options), note, ...options })
  const output = Writable.toWeb(process.stdout)
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
  const connection = app.connect(ndJsonStream(output, input))
  await connection.closed
  leave()
  return 0
}
