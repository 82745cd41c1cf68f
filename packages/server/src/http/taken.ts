/** Waiting for a slow reader. */
import type { ServerResponse } from "node:http"

/** How long a reader may take nothing at all of what waits for it. */
const STALL_MS = 30_000

/** Resolves when the socket has taken everything. Its timeout is about progress: a slow reader may take its time. */
export async function taken(out: ServerResponse): Promise<void> {
  if (!out.writableNeedDrain) return
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
      reject(new Error("stalled"))
    }
    out.setTimeout(STALL_MS)
    out.on("timeout", stalled).on("drain", done).on("close", done)
  })
}
