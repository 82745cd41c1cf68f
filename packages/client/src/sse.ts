/**
 * Parses server-sent events from bytes. Chunks may end anywhere, even inside a character or between CR and LF.
 * If the connection ends inside an event, the event is dropped, as the standard requires.
 */
export type ServerEvent = { readonly event: string; readonly data: string }

export class SseParser {
  readonly #decoder = new TextDecoder()
  #line: string[] = []
  #event = ""
  #data: string[] = []
  #afterCr = false

  push(bytes: Uint8Array): readonly ServerEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true })
    const events: ServerEvent[] = []
    let from = 0
    for (let at = nextBreak(text, 0); at !== -1; at = nextBreak(text, from)) {
      const isLfOfCrLf = this.#afterCr && at === 0 && text[at] === "\n"
      this.#afterCr = text[at] === "\r" && at === text.length - 1
      if (!isLfOfCrLf) {
        this.#line.push(text.slice(from, at))
        const event = this.#endLine(this.#line.join(""))
        if (event) events.push(event)
        this.#line = []
      }
      from = text[at] === "\r" && text[at + 1] === "\n" ? at + 2 : at + 1
    }
    if (from < text.length) {
      this.#line.push(text.slice(from))
      this.#afterCr = false
    }
    return events
  }

  #endLine(line: string): ServerEvent | undefined {
    if (line === "") return this.#endEvent()
    const colon = line.indexOf(":")
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)
    if (field === "event") this.#event = value
    else if (field === "data") this.#data.push(value)
    return undefined
  }

  #endEvent(): ServerEvent | undefined {
    const event = { event: this.#event || "message", data: this.#data.join("\n") }
    const isEmpty = this.#data.length === 0
    this.#event = ""
    this.#data = []
    return isEmpty ? undefined : event
  }
}

function nextBreak(text: string, from: number): number {
  const lf = text.indexOf("\n", from)
  const cr = text.indexOf("\r", from)
  if (lf === -1 || cr === -1) return Math.max(lf, cr)
  return Math.min(lf, cr)
}
