/** Errors of SQLite as the port knows them. */
import { Bug, Fault } from "@parlor/protocol"
import { toWireError, type WireError } from "./wire.ts"

export function fromWireError(error: WireError): Fault | Bug {
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
