/**
 * The output items of a response, and the events that build them up. Tools run on the server, so they are `mcp_call`
 * items and not functions that the client would have to execute.
 */
import type { TurnEvent } from "@parlor/protocol"
import { outcomeUnknown } from "../ui/ui-parts.ts"

export type NewEvent = { readonly type: string } & Readonly<Record<string, unknown>>
export type Item = { readonly id: string; readonly type: string; readonly status: string } & Readonly<
  Record<string, unknown>
>
export type TextKind = "text" | "reasoning"
type ToolInput = Extract<TurnEvent, { type: "tool-input" }>

export class ResponseItems {
  readonly #items: Item[] = []
  readonly #calls = new Map<string, number>()
  /** Calls of the previous response whose result is pending. */
  readonly #earlier = new Map<string, ToolInput>()
  /** The message or reasoning item that is being written. */
  #open: { readonly index: number; readonly kind: TextKind; text: string } | undefined

  get openKind(): TextKind | undefined {
    return this.#open?.kind
  }

  /** With the text so far of the item that is being written. */
  list(): readonly Item[] {
    const open = this.#open
    return this.#items.map((item, index) => {
      if (open?.index !== index || open.text === "") return item
      if (open.kind === "reasoning") return { ...item, summary: [{ type: "summary_text", text: open.text }] }
      return { ...item, content: [{ type: "output_text", text: open.text, annotations: [], logprobs: [] }] }
    })
  }

  /** The text of all messages. */
  get text(): string {
    const messages = this.list().filter(({ type }) => type === "message")
    const texts = messages.map(({ content }) =>
      (content as readonly { readonly text: string }[]).map(({ text }) => text),
    )
    return texts.flat().join("\n\n")
  }

  open(kind: TextKind, of: { readonly message: string; readonly part: number }): readonly NewEvent[] {
    const index = this.#items.length
    const id = `${kind === "text" ? "msg" : "rs"}_${of.message}.${of.part}`
    const item: Item =
      kind === "text"
        ? { id, type: "message", role: "assistant", status: "in_progress", content: [] }
        : { id, type: "reasoning", status: "in_progress", summary: [] }
    this.#items.push(item)
    this.#open = { index, kind, text: "" }
    const added = { type: "response.output_item.added", output_index: index, item }
    const at = { item_id: id, output_index: index }
    if (kind === "reasoning") {
      const part = { type: "summary_text", text: "" }
      return [added, { type: "response.reasoning_summary_part.added", ...at, summary_index: 0, part }]
    }
    const part = { type: "output_text", text: "", annotations: [] }
    return [added, { type: "response.content_part.added", ...at, content_index: 0, part }]
  }

  add(delta: string): readonly NewEvent[] {
    const open = this.#open
    if (open === undefined || delta === "") return []
    open.text += delta
    const at = { item_id: this.#items[open.index]?.id ?? "", output_index: open.index, delta }
    if (open.kind === "reasoning") return [{ type: "response.reasoning_summary_text.delta", ...at, summary_index: 0 }]
    return [{ type: "response.output_text.delta", ...at, content_index: 0, logprobs: [] }]
  }

  close(): readonly NewEvent[] {
    const open = this.#open
    const begun = open && this.#items[open.index]
    if (open === undefined || begun === undefined) return []
    this.#open = undefined
    const { index, text } = open
    const at = { item_id: begun.id, output_index: index }
    const done = { type: "response.output_item.done", output_index: index }
    if (open.kind === "reasoning") {
      const part = { type: "summary_text", text }
      const item = this.#replace(index, { ...begun, status: "completed", summary: [part] })
      return [
        { type: "response.reasoning_summary_text.done", ...at, summary_index: 0, text },
        { type: "response.reasoning_summary_part.done", ...at, summary_index: 0, part },
        { ...done, item },
      ]
    }
    const part = { type: "output_text", text, annotations: [], logprobs: [] }
    const item = this.#replace(index, { ...begun, status: "completed", content: [part] })
    return [
      { type: "response.output_text.done", ...at, content_index: 0, text, logprobs: [] },
      { type: "response.content_part.done", ...at, content_index: 0, part },
      { ...done, item },
    ]
  }

  /** A call that the previous response contains; its result appears in this one. */
  noteEarlier(event: ToolInput): void {
    this.#earlier.set(event.call, event)
  }

  forgetEarlier(call: string): void {
    this.#earlier.delete(call)
  }

  call({ call, name, input }: ToolInput): readonly NewEvent[] {
    const closed = this.close()
    const index = this.#items.length
    const item: Item = {
      id: `mcp_${call}`,
      type: "mcp_call",
      status: "in_progress",
      server_label: "parlor",
      name,
      arguments: JSON.stringify(input),
      output: null,
      error: null,
    }
    this.#items.push(item)
    this.#calls.set(call, index)
    return [
      ...closed,
      { type: "response.output_item.added", output_index: index, item },
      { type: "response.mcp_call.in_progress", output_index: index, item_id: item.id },
    ]
  }

  result(event: Extract<TurnEvent, { type: "tool-output" }>): readonly NewEvent[] {
    const { call, state, output, error } = event
    const earlier = this.#earlier.get(call)
    this.#earlier.delete(call)
    if (earlier !== undefined) return [...this.call(earlier), ...this.result(event)]
    const index = this.#calls.get(call)
    const begun = index === undefined ? undefined : this.#items[index]
    if (index === undefined || begun === undefined) return []
    const isDone = state === "done"
    const outcome = isDone
      ? { status: "completed", output: typeof output === "string" ? output : JSON.stringify(output) }
      : { status: "failed", error: error?.detail ?? outcomeUnknown }
    const item = this.#replace(index, { ...begun, ...outcome })
    return [
      { type: `response.mcp_call.${isDone ? "completed" : "failed"}`, output_index: index, item_id: item.id },
      { type: "response.output_item.done", output_index: index, item },
    ]
  }

  #replace(index: number, item: Item): Item {
    this.#items[index] = item
    return item
  }
}
