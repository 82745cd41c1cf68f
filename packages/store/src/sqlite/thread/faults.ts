/** Converts SQLite errors to those of the port. */
import { Bug, Fault, Refusal } from "@parlor/protocol"
import { DELETING } from "../../deletion-row.ts"
import { LINKED } from "../../link-row.ts"
import { toWireError, type WireError } from "./calls.ts"

export function fromWireError(error: WireError): Fault | Bug | Refusal {
  if (error.message === LINKED) return new Refusal(LINKED, "That name was just linked to another person. Try again.")
  if (error.message === DELETING) return new Refusal(DELETING, "This person is being deleted. Try again in a minute.")
  return error.outside ? new Fault(`SQLite: ${error.message}`) : new Bug(`SQLite: ${error.message}`)
}

/** Runs a read on this thread; an SQLite error becomes `Fault` or `Bug`. */
export function guarded<T>(work: () => T): Promise<T> {
  try {
    return Promise.resolve(work())
  } catch (error) {
    return Promise.reject(fromWireError(toWireError(error)))
  }
}
