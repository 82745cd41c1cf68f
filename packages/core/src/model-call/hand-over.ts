/**
 * Where a turn may be given to another process, because this one drains (TRN-17, TRN-19).
 *
 * Whatever reaches such a place while the process drains throws `HandedOver`: between two steps, between two tools, and
 * where a turn waits for a person, for a budget or for another try. Nothing is lost there: the log has all of it. A
 * handler is agent code that would run again from its beginning elsewhere, so a turn that one runs is given away only
 * while it waits for a person. `drive/drain.ts` releases what is given away.
 */
import type { Brief } from "../context/brief.ts"
import { Fenced } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"
import { orAborted } from "./or-aborted.ts"

type Draining = Pick<LogAccess, "draining">

/** This process is stopping: another one continues the turn, from where it is in the log. */
export class HandedOver extends Fenced {
  constructor() {
    super("this process is stopping, and another one continues")
    this.name = "HandedOver"
  }
}

/** Gives the turn away here, when the process is draining. */
export function handOverPoint({ draining }: Draining, brief: Brief): void {
  if (!runsHandler(brief)) draining.signal.throwIfAborted()
}

/** Waits for `work`, unless the turn is given away or breaks off meanwhile. */
export function orHandedOver<T>({ draining }: Draining, signal: AbortSignal, work: Promise<T>): Promise<T> {
  return orAborted(draining.signal, orAborted(signal, work))
}

/** The same for a wait in which a handler is not given away. */
export function orStepHandedOver<T>(node: Draining, brief: Brief, signal: AbortSignal, work: Promise<T>): Promise<T> {
  return runsHandler(brief) ? orAborted(signal, work) : orHandedOver(node, signal, work)
}

function runsHandler({ speaker, author }: Brief): boolean {
  return speaker.handler !== undefined && author === ""
}
