/** Events as raw bytes, so that they can be compared byte by byte (LOG-6). */
import { type ChangeEvent, parseOffset, readChanges } from "@parlor/protocol"

export type RawEvent = { readonly seq: number; readonly text: string; readonly event: ChangeEvent }

/** The elements of a JSON array of events, each as its source text, with all its headers. */
export function rawEvents(json: string): RawEvent[] {
  const events = readChanges(json)
  return splitObjects(json).map((sent, index) => {
    const event = events[index] as ChangeEvent
    const text = `${sent.slice(0, sent.lastIndexOf(',"headers":'))},"headers":${JSON.stringify(event.headers)}}`
    const seq = parseOffset(event.headers.offset)
    if (typeof seq !== "number") throw new Error(`an event without a number: ${text}`)
    return { seq, text, event }
  })
}

export function splitObjects(json: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const mark = json[i]
    if (inText) {
      if (mark === "\\") i += 1
      else if (mark === '"') inText = false
    } else if (mark === '"') inText = true
    else if (mark === "{") {
      if (depth === 0) start = i
      depth += 1
    } else if (mark === "}") {
      depth -= 1
      if (depth === 0) found.push(json.slice(start, i + 1))
    }
  }
  return found
}
