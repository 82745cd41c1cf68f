/** Which errors are external: the network, the server, its limits. */
import { Bug, Fault, Refusal } from "@parlor/protocol"
import { DatabaseError } from "pg"
import { DELETING } from "../deletion-row.ts"
import { LINKED } from "../link-row.ts"
import { DELETING_STATE } from "./functions/deletion.ts"
import { LINKED_STATE } from "./functions/link.ts"

/**
 * SQLSTATE classes and codes: connection, wrong password, no such database, deadlock and the like, out of resources,
 * lock not available, operator intervention (shutdown, timeout), system error, read-only, idle for too long.
 */
const OUTSIDE = ["08", "28", "3D", "40", "53", "55P03", "57", "58", "25006", "25P03"] as const

/** Thrown on purpose inside a transaction to roll it back; the caller receives it unchanged. */
export class Undone extends Error {}

/** Runs `work`; a driver error becomes `Fault` or `Bug`. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toKnownError(error)
  }
}

function toKnownError(error: unknown): Error {
  if (error instanceof Fault || error instanceof Bug || error instanceof Undone) return error
  if (error instanceof DatabaseError && error.code === LINKED_STATE)
    return new Refusal(LINKED, "That name was just linked to another person. Try again.")
  if (error instanceof DatabaseError && error.code === DELETING_STATE)
    return new Refusal(DELETING, "This person is being deleted. Try again in a minute.")
  const message = error instanceof Error ? error.message || error.name : String(error)
  if (error instanceof DatabaseError && !OUTSIDE.some((prefix) => error.code?.startsWith(prefix)))
    return new Bug(`PostgreSQL: ${message} (${error.code ?? "no code"})`, { cause: error })
  if (error instanceof TypeError || error instanceof RangeError) return new Bug(message, { cause: error })
  return new Fault(`PostgreSQL: ${message}`, { cause: error })
}
