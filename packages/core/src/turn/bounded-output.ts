/**
 * A tool's output as shown to a model. For a longer one it sees the beginning and how to read the rest, which is stored
 * (TRN-11).
 */
import { limits, type ToolPart } from "@parlor/protocol"
import type { Json } from "../ports/json.ts"
import { cleanJson, cleanText } from "../text/clean-json.ts"

export type Bounds = {
  /** In characters shown. */
  readonly most: number
  readonly call: string
  readonly keep: (content: Uint8Array) => Promise<string>
}

export async function bounded(output: Json, { most, call, keep }: Bounds): Promise<Pick<ToolPart, "output" | "kept">> {
  const text = typeof output === "string" ? output : JSON.stringify(output)
  if (text === undefined) return { output: null }
  if (text.length <= most) {
    const clean = typeof output === "string" ? cleanText(output) : cleanJson(JSON.parse(text) as Json)
    return { output: clean as ToolPart["output"] }
  }
  const beginning = cleanText(text.slice(0, most))
  const kept = await keep(keptPart(text))
  const readOn = `read_output {"call": ${JSON.stringify(call)}, "from": ${beginning.length}}`
  return { output: { truncated: true, characters: text.length, beginning, readOn }, kept }
}

/** As much of it as is stored, cut between characters. */
function keptPart(text: string): Uint8Array {
  const room = new Uint8Array(limits.keptOutputBytes)
  const { written } = new TextEncoder().encodeInto(cleanText(text.slice(0, limits.keptOutputBytes)), room)
  return room.slice(0, written)
}
