/**
 * Where a turn can be handed over to another process, because this one drains (TRN-17, TRN-19).
 *
 * While the process drains, these places throw `HandedOver`: between two steps, between two tools, and where a turn
 * waits for a person, a budget or a retry. Nothing is lost, because the log has everything. A handler is agent code
 * that would run again from the beginning elsewhere, so its turn is handed over only while it waits for a person.
 * `drive/drain.ts` releases the conversation.
 */
import type { Brief } from "../context/brief.ts"
import { Fenced } from "../log/decide.ts"
import type { LogAccess } from "../log/log-access.ts"
import { orAborted } from "./or-aborted.ts"

type Draining = Pick<LogAccess, "draining">

/** This process is stopping: another one continues the turn from the log. */
export class HandedOver extends Fenced {
  constructor() {
    super("this process is stopping, and another one continues")
    this.name = "HandedOver"
  }
}

/** Hands the turn over here if the process is draining. */
export function handOverPoint({ draining }: Draining, brief: Brief): void {
  if (!runsHandler(brief)) draining.signal.throwIfAborted()
}

/** Waits for `work`, unless the turn is handed over or aborted in the meantime. */
export function orHandedOver<T>({ draining }: Draining, signal: AbortSignal, work: Promise<T>): Promise<T> {
  return draining.orBegun(orAborted(signal, work))
}

/** The same for a wait in which a handler's turn is not handed over. */
export function orStepHandedOver<T>(node: Draining, brief: Brief, signal: AbortSignal, work: Promise<T>): Promise<T> {
  return runsHandler(brief) ? orAborted(signal, work) : orHandedOver(node, signal, work)
}

function runsHandler({ speaker, author }: Brief): boolean {
  return speaker.handler !== undefined && author === ""
}
