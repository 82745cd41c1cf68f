/** Waits for a reader: nothing is buffered for one that does not read, and a stalled one is disconnected (LOG-26). */
import type { ServerResponse } from "node:http"
import { limits } from "@parlor/protocol"

/**
 * Resolves when the socket has drained or closed. Rejects when it read nothing for
 * `limits.readerStallMs`; a slow reader may take its time.
 */
export async function taken(out: ServerResponse): Promise<void> {
  if (!out.writableNeedDrain || out.destroyed) return
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      out.setTimeout(0)
      out.off("timeout", stalled).off("drain", done).off("close", done)
    }
    const done = () => {
      stop()
      resolve()
    }
    const stalled = () => {
      stop()
      reject(new Stalled())
    }
    out.setTimeout(limits.readerStallMs)
    out.on("timeout", stalled).on("drain", done).on("close", done)
  })
}

export class Stalled extends Error {
  constructor() {
    super("the reader stalled")
    this.name = "Stalled"
  }
}

/** Calls back when the response is over, even if it already is. */
export function whenClosed(out: ServerResponse, call: () => void): void {
  if (out.destroyed) call()
  else out.once("close", call)
}
