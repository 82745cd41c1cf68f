/** Errors of SQLite as the port knows them. */
import { Bug, Fault, Refusal } from "@parlor/protocol"
import { DELETING } from "../deletion-row.ts"
import { LINKED } from "../link-row.ts"
import { toWireError, type WireError } from "./wire.ts"

export function fromWireError(error: WireError): Fault | Bug | Refusal {
  if (error.message === LINKED) return new Refusal(LINKED, "That name is another name of someone by now. Try again.")
  if (error.message === DELETING) return new Refusal(DELETING, "This person is being deleted. Try again in a minute.")
  return error.outside ? new Fault(`SQLite: ${error.message}`) : new Bug(`SQLite: ${error.message}`)
}

/** Runs a read on this thread; an error of SQLite becomes `Fault` or `Bug`. */
export function guarded<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work())
  } catch (error) {
    return Promise.reject(fromWireError(toWireError(error)))
  }
}
