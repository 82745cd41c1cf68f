/** Records a step's model calls for the inspector (LOG-15). Small: it is part of a write that is made anyway. */
import type { MessageId, MessageRow, StepNote, Usage } from "@parlor/protocol"
import { carriedBy } from "../composer/attached.ts"
import type { Attached } from "../composer/lower.ts"
import type { Clock } from "../ports/clock.ts"
import type { Model, ModelRequest } from "../ports/model.ts"
import { fingerprint } from "./fingerprint.ts"

const ERROR_CHARS = 500

export type Noting = {
  /** A call starts. */
  begin(model: Model, attached: Attached): void
  /** `returns`: whether reasoning of earlier steps may be part of it. */
  sent(request: ModelRequest, returns?: boolean): void
  /** Output arrived: only the first time counts. */
  heard(): void
  /** `broken`: it was stopped, or failed on our side, before it ended. */
  end(reply: Said, how?: { readonly error?: Error; readonly broken?: boolean }): void
  /** Undefined if nothing was sent to a model: a stop between two steps ends the second before its call. */
  note(step: Noted): StepNote | undefined
}

type Said = { readonly id: MessageId; readonly usage: Usage | null; readonly started: boolean }

/** What the step knows by itself. */
type Noted = Pick<StepNote, "number" | "brief" | "archive" | "questionParts" | "maxPartChars"> & {
  readonly shown: readonly MessageRow[]
}

type Attempt = StepNote["attempts"][number]

export function beginNoting(clock: Clock): Noting {
  const attempts: Attempt[] = []
  let last: { readonly model: Model; readonly attached: Attached } | undefined
  let mark = ""
  let returns = false
  const change = (changed: Partial<Attempt>) => {
    const open = attempts.at(-1)
    if (open !== undefined && open.endedAt === null) attempts[attempts.length - 1] = Object.assign({}, open, changed)
  }
  return {
    begin(model, attached) {
      last = { model, attached }
      const open = { message: null, firstAt: null, endedAt: null, usage: null, error: null }
      attempts.push({ model: model.name, startedAt: clock.now(), ...open })
    },
    sent(request, returned = false) {
      mark = fingerprint(request)
      returns = returned
    },
    heard() {
      if (attempts.at(-1)?.firstAt === null) change({ firstAt: clock.now() })
    },
    end({ id, usage, started }, { error, broken = false } = {}) {
      change({
        message: started ? id : null,
        usage,
        endedAt: broken ? null : clock.now(),
        error: error === undefined ? null : error.message.slice(0, ERROR_CHARS).toWellFormed(),
      })
    },
    note({ shown, ...step }) {
      if (last === undefined || mark === "") return undefined
      const { model, attached } = last
      return {
        message: attempts.at(-1)?.message ?? null,
        shown: stretches(shown),
        attached: carriedBy(attached),
        window: model.window,
        maxOutput: model.maxOutput ?? null,
        fingerprint: mark,
        attempts: [...attempts],
        ...step,
        ...(returns ? { returns } : {}),
      }
    },
  }
}

/** The numbers of the messages, as ranges without a gap. */
export function stretches(messages: readonly Pick<MessageRow, "ord">[]): [number, number][] {
  const found: [number, number][] = []
  for (const { ord } of messages) {
    const open = found.at(-1)
    if (open !== undefined && ord === open[1] + 1) open[1] = ord
    else found.push([ord, ord])
  }
  return found
}
