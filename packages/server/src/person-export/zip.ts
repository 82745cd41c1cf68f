/**
 * A ZIP archive as a stream. One entry at a time is read, compressed and sent at the reader's pace; only the table of
 * contents is kept until the end. When the reader leaves, reading ends too.
 */
import { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import { ZipFile } from "yazl"
import type { Entry } from "./entries.ts"

export function zipOf(entries: AsyncIterable<Entry>, at: Date): AsyncIterable<Uint8Array> {
  const zip = new ZipFile()
  // A PassThrough; the types of the package say less.
  const out = zip.outputStream as Readable
  const fail = (error: unknown) => void out.destroy(error instanceof Error ? error : new Error(String(error)))
  zip.on("error", fail)
  void fill(zip, out, entries, at).catch(fail)
  return out
}

async function fill(zip: ZipFile, out: Readable, entries: AsyncIterable<Entry>, at: Date): Promise<void> {
  const taken = new Set<string>()
  for await (const { path, pieces } of entries) {
    const source = Readable.from(asBytes(pieces), { objectMode: false })
    const stop = () => void source.destroy()
    out.once("close", stop)
    zip.addReadStream(source, freePath(path, taken), { mtime: at })
    await finished(source).catch((error: unknown) => {
      if (!out.destroyed) throw error
    })
    out.off("close", stop)
    if (out.destroyed) return
  }
  zip.end()
}

async function* asBytes(pieces: Entry["pieces"]): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece
}

/** Different names may give the same path, as on systems that ignore case. */
function freePath(path: string, taken: Set<string>): string {
  const dot = path.lastIndexOf(".")
  const cut = dot > path.lastIndexOf("/") + 1 ? dot : path.length
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : `${path.slice(0, cut)} (${number})${path.slice(cut)}`
    if (taken.has(free.toLowerCase())) continue
    taken.add(free.toLowerCase())
    return free
  }
}
