/**
 * What is common to everything that records the work of somebody else's loop, a hosted agent or a stream of the agent's
 * own code (HST-3, COD-1): ids of calls, limits, outputs, and where one message ends and the next begins.
 *
 * `harness-record.ts` and `stream-record.ts` write it: the first is told of events and joins those that wait, the second
 * reads a stream at its own pace.
 */
import type { MessageRow } from "@parlor/protocol"
import { freeCallId } from "../context/call-id.ts"
import type { Reply } from "../model-call/reply.ts"
import type { Json } from "../ports/json.ts"
import { keepContent } from "../workspace/content.ts"
import { bounded } from "./bounded-output.ts"
import type { TurnProblem } from "./problem.ts"
import type { Run } from "./run.ts"

const MAX_OUTPUT_CHARS = 64 * 1024

export class ForeignRecord {
  readonly #run: Run
  readonly #tooLong: (most: number) => TurnProblem
  readonly #taken: Set<string>
  #chars = 0

  /** `tooLong` is thrown when more is said than a reply may have. */
  constructor(run: Run, tooLong: (most: number) => TurnProblem) {
    this.#run = run
    this.#tooLong = tooLong
    this.#taken = new Set(run.history.flatMap(({ parts }) => callsIn(parts)))
  }

  get hasText(): boolean {
    return this.#chars > 0
  }

  /** An id for a call that no other call of the conversation has. */
  callId(call: string): string {
    const id = freeCallId(call, this.#taken)
    this.#taken.add(id)
    return id
  }

  count(chars: number): void {
    const { maxAnswerChars } = this.#run.node.settings
    this.#chars += chars
    if (this.#chars > maxAnswerChars) throw this.#tooLong(maxAnswerChars)
  }

  /** Shortened if it is too long; the full output is stored. */
  output(call: string, output: Json): ReturnType<typeof bounded> {
    const { node, parts } = this.#run
    const keep = async (content: Uint8Array) => (await keepContent(node, parts.owner.stream, content)).hash
    return bounded(output, { most: MAX_OUTPUT_CHARS, call, keep })
  }
}

/** Text that follows calls which have ended begins a new message, so that every call is followed by its results. */
export function hasCalls(reply: Reply | undefined): boolean {
  return reply?.parts.some((part) => part.type === "tool") ?? false
}

export function callsIn(parts: MessageRow["parts"]): readonly string[] {
  return parts.flatMap((part) => (part.type === "tool" ? [part.call] : []))
}
