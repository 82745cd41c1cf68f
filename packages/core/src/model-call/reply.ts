/**
 * One agent message while it is streaming: text arrives, deltas go out, the full row comes last (LOG-10).
 *
 *   text() ──▶ pending ──(no write of this reply under way)──▶ append ──durable──▶ pending again …
 *                                                            seal() ──▶ what is left, and the full row
 *
 * Waiting text of one part is joined into one delta. A write starts as soon as the previous one returned, so nothing
 * waits while the store is idle (LOG-11). Text that is not written yet was not seen by anyone (LOG-3).
 *
 * A reply that replaces an interrupted one reuses its row. The first new text empties the row in the same write; until
 * then the interrupted text stays (TRN-18).
 */
import {
  deltaKey,
  type MessageId,
  type MessageRow,
  type Millis,
  type NewChange,
  newMessage,
  type Part,
  type TextPart,
  type ToolPart,
  type TurnId,
  type Usage,
} from "@parlor/protocol"
import { TagFilter } from "../guest/tag-filter.ts"
import type { Json } from "../ports/json.ts"
import { cleanText } from "../text/clean-json.ts"
import { ReturnedParts } from "./returned-parts.ts"
import { settleTools } from "./settle-tools.ts"

type Pending = { readonly part: number; readonly kind: TextPart["type"]; text: string }

export type ReplyOptions = {
  readonly id: MessageId
  readonly ord: number
  readonly turn: TurnId
  /** Empty for the conversation's own agent (GST-2). */
  readonly author: string
  /** The model that writes it; absent or null if no model does. */
  readonly model?: string | null
  readonly at: Millis
  /** The row is in the log, with the text of an interrupted attempt. */
  readonly replaces?: boolean
  /** Makes changes durable; rejects if the turn cannot continue. */
  readonly write: (changes: readonly NewChange[]) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

export class Reply {
  readonly #it: ReplyOptions
  #parts: Part[]
  readonly #counts: number[] = []
  #pending: Pending[] = []
  /** What no delta carried when it was sealed: a stop may come before that is written, and seal it again. */
  readonly #tail: NewChange[] = []
  readonly #returned: ReturnedParts
  #carry = ""
  readonly #tags = new TagFilter()
  #written: boolean
  #writing: Promise<void> | undefined
  #scheduled = false
  #complete = false
  #sealed = false

  /** The provider's usage, once the reply is complete. */
  usage: Usage | null = null
  /** The size of its prompt, once the provider has counted it. */
  prompt: MessageRow["prompt"]
  /** The model that writes it, if that becomes known only while it streams. */
  model: string | null
  /** Written with the next save. */
  along: readonly NewChange[] = []

  /** `said`: a message that is already in the log and continues. */
  constructor(it: ReplyOptions, said?: Pick<MessageRow, "parts" | "returned">) {
    this.#it = it
    this.model = it.model ?? null
    this.#parts = [...(said?.parts ?? [])]
    this.#returned = new ReturnedParts(said?.returned ?? [])
    this.#written = said !== undefined
  }

  get parts(): readonly Part[] {
    return this.#parts
  }

  get started(): boolean {
    return this.#parts.length > 0
  }

  get id(): MessageId {
    return this.#it.id
  }

  get ord(): number {
    return this.#it.ord
  }

  text(kind: TextPart["type"], chunk: string): void {
    const text = this.#wholeCharacters(chunk)
    if (text === "") return
    if (kind === "text") this.#add(kind, this.#tags.next(text))
    else {
      this.endText()
      this.#add(kind, text)
    }
  }

  /** This text is complete: what was held back because it could have become a tag is released (GST-4). */
  endText(): void {
    this.#add("text", this.#tags.end())
  }

  /** A block of text or reasoning ended, and its provider needs this back with it (MOD-7). */
  block(of: TextPart["type"], meta: Json): void {
    this.endText()
    this.#returned.add(of, this.#parts, meta)
  }

  /** The reply is complete: waiting text is written together with the full row. */
  complete(): void {
    this.#complete = true
  }

  /** Adds a tool call to the message, or replaces the call with its result. `meta`: needed back with the call. */
  tool(part: ToolPart, meta?: Json): void {
    if (meta !== undefined) this.#returned.addTool(part.call, meta)
    const index = this.#parts.findIndex((known) => known.type === "tool" && known.call === part.call)
    if (index >= 0) this.#parts[index] = part
    else this.#parts.push(part)
  }

  /** Adds a notice for the person to the reply. */
  notice(code: string, text: string): void {
    this.#parts.push({ type: "notice", code, text })
  }

  /** Resolves when everything that was said so far is written. */
  written(): Promise<void> {
    return this.#settled()
  }

  /** Writes the full row as it is now, still streaming. For what must be saved before the next step begins (TRN-6). */
  async save(): Promise<void> {
    await this.#settled()
    await this.#it.write(this.#changes("streaming"))
  }

  /** The last changes: what no delta carried yet, and the full row. Nothing is added afterwards. */
  async seal(state: MessageRow["state"]): Promise<readonly NewChange[]> {
    this.endText()
    this.#sealed = true
    await this.#settled()
    if (state !== "done") this.#parts = settleTools(this.#parts)
    if (!this.started && !this.#written) return []
    const row = this.row(state)
    // Nothing of it was written before: one row says it all, and no delta is needed.
    if (!this.#isInLog) return [{ collection: "messages", key: row.id, operation: "insert", row }]
    this.#tail.push(...this.#takePending())
    return [...this.#tail, { collection: "messages", key: row.id, operation: "update", row }]
  }

  row(state: MessageRow["state"]): MessageRow {
    return newMessage({
      id: this.#it.id,
      ord: this.#it.ord,
      role: "agent",
      author: this.#it.author,
      turn: this.#it.turn,
      state,
      parts: [...this.#parts],
      usage: this.usage,
      model: this.model,
      returned: state === "done" || state === "streaming" ? this.#returned.field() : null,
      at: this.#it.at,
      ...(this.prompt === undefined ? {} : { prompt: this.prompt }),
    })
  }

  #add(kind: TextPart["type"], text: string): void {
    if (text === "" || this.#sealed) return
    const last = this.#parts.at(-1)
    let index = this.#parts.length - 1
    if (last?.type === kind) this.#parts[index] = { type: kind, text: last.text + text }
    else index = this.#parts.push({ type: kind, text }) - 1
    const waiting = this.#pending.at(-1)
    if (waiting?.part === index) waiting.text += text
    else this.#pending.push({ part: index, kind, text })
    this.#schedule()
  }

  #changes(state: MessageRow["state"]): readonly NewChange[] {
    const row = this.row(state)
    const operation = this.#isInLog || this.#pending.length > 0 ? "update" : "insert"
    const changes: NewChange[] = [
      ...this.#takePending(),
      ...this.along,
      { collection: "messages", key: row.id, operation, row },
    ]
    this.along = []
    this.#written = true
    return changes
  }

  /** The tokens of one network chunk form one delta: the write starts when the chunk has been read. */
  #schedule(): void {
    if (this.#scheduled || this.#writing !== undefined) return
    this.#scheduled = true
    queueMicrotask(() => {
      this.#scheduled = false
      if (this.#writing === undefined) this.#flush()
    })
  }

  #flush(): void {
    if (this.#sealed || this.#complete || this.#pending.length === 0) return
    this.#writing = this.#it.write(this.#takePending()).then(
      () => {
        this.#writing = undefined
        this.#flush()
      },
      (error) => {
        this.#writing = undefined
        this.#sealed = true
        this.#it.onFailure(error)
      },
    )
  }

  #takePending(): NewChange[] {
    const changes: NewChange[] = []
    if (this.#pending.length === 0) return changes
    if (!this.#written) {
      const row = { ...this.row("streaming"), parts: [] }
      changes.push({ collection: "messages", key: row.id, operation: this.#isInLog ? "update" : "insert", row })
      this.#written = true
    }
    for (const { part, kind, text } of this.#pending) {
      const n = this.#counts[part] ?? 0
      this.#counts[part] = n + 1
      const row = { message: this.#it.id, part, kind, n, text }
      changes.push({ collection: "deltas", key: deltaKey(row), operation: "insert", row })
    }
    this.#pending = []
    return changes
  }

  get #isInLog(): boolean {
    return this.#written || this.#it.replaces === true
  }

  async #settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  /** A provider may split a surrogate pair: the first half waits for the second. */
  #wholeCharacters(chunk: string): string {
    let text = this.#carry + chunk
    this.#carry = ""
    const last = text.charCodeAt(text.length - 1)
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#carry = text.slice(-1)
      text = text.slice(0, -1)
    }
    return cleanText(text)
  }
}
