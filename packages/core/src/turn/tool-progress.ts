/**
 * What a running tool reports of its progress, while it runs (TRN-26).
 *
 *   report ──▶ newest report ──at most once per interval──▶ row of the message
 *                                                  end() ──▶ nothing is written any more
 *
 * A report is only for people: it is never waited for, earlier ones that were not written are dropped, and a write that
 * fails is left to the next one of the turn.
 */
import type { ToolPart } from "@parlor/protocol"
import type { ToolProgress } from "../agent/tool.ts"
import type { Reply } from "../model-call/reply.ts"
import type { Clock } from "../ports/clock.ts"
import { cleanText } from "../text/clean-json.ts"

const INTERVAL_MS = 1_000
/** Every write repeats the message, so a tool that reports for long is written less often. */
const FREQUENT_WRITES = 60
const LATER_INTERVAL_MS = 5_000
const MAX_TEXT_CHARS = 200

export type ProgressParts = { readonly reply: Reply; readonly clock: Clock; readonly signal: AbortSignal }

export type Reporting = {
  readonly report: (progress: ToolProgress) => void
  /** Resolves when the last write is over. */
  readonly end: () => Promise<void>
}

/** `started`: the call as it was written when it began. */
export function reporting({ reply, clock, signal }: ProgressParts, started: ToolPart): Reporting {
  let newest: ToolPart["progress"]
  let writing: Promise<void> | undefined
  let cancel: (() => void) | undefined
  let writes = 0
  let nextAt = clock.now()
  let isOver = false
  const write = async (): Promise<void> => {
    isOver ||= signal.aborted
    if (isOver || newest === undefined) return
    reply.tool({ ...started, progress: newest })
    newest = undefined
    writes += 1
    nextAt = clock.now() + (writes > FREQUENT_WRITES ? LATER_INTERVAL_MS : INTERVAL_MS)
    await reply.save().catch(() => {
      isOver = true
    })
  }
  const schedule = () => {
    if (cancel !== undefined || writing !== undefined || isOver) return
    cancel = clock.after(Math.max(0, nextAt - clock.now()), () => {
      cancel = undefined
      writing = write().finally(() => {
        writing = undefined
        if (newest !== undefined) schedule()
      })
    })
  }
  return {
    report(progress) {
      newest = shown(progress)
      schedule()
    },
    async end() {
      isOver = true
      cancel?.()
      await writing
    },
  }
}

function shown({ text = "", done, total }: ToolProgress): NonNullable<ToolPart["progress"]> {
  return {
    text: cleanText(String(text).slice(0, MAX_TEXT_CHARS)),
    ...(isAmount(done) ? { done } : {}),
    ...(isAmount(total) && total > 0 ? { total } : {}),
  }
}

function isAmount(value: number | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0
}
