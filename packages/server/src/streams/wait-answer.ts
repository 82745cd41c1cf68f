/** A response that is written when something has happened: the reply of a turn. */
import type { ServerResponse } from "node:http"
import { whenClosed } from "../http/taken.ts"
import type { Followers, Reader } from "./followers.ts"

/** The JSON of the response. Aborted when the connection closes. */
export type WaitAnswer = { readonly wait: (signal: AbortSignal) => Promise<unknown> }

/** Counts as one of its reader's open streams, and ends with the connection. Undefined if nobody is there anymore. */
export async function waitFor(
  { wait }: WaitAnswer,
  to: { readonly out: ServerResponse; readonly reader: Reader; readonly followers: Followers },
): Promise<unknown> {
  const { out, reader, followers } = to
  const left = new AbortController()
  whenClosed(out, () => left.abort())
  const open = { keepAlive: () => {}, cut: () => void out.destroy(), end: () => void out.destroy() }
  return followers.during(open, reader, () => wait(left.signal))
}
