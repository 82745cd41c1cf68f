import { ParlorError } from "@parlor/client"
import { plain } from "./plain.ts"

/** An error that the person at the terminal can fix. Its message is shown unchanged. */
export class Complaint extends Error {}

/** The error message for the terminal, with a stack if it is a bug. */
export function explain(error: unknown): string {
  if (error instanceof ParlorError) return plain(explainParlor(error))
  if (!(error instanceof Error)) return plain(String(error))
  if ("code" in error && error.code === "EADDRINUSE")
    return `${error.message}. Is Parlor already running? Choose another port with PARLOR_PORT.`
  return plain(isOurs(error) ? `Internal error: ${error.stack ?? error.message}` : error.message)
}

function explainParlor(error: ParlorError): string {
  if (error.code === "network")
    return `${error.detail} Start the server with "parlor serve", or set its address with --url or PARLOR_URL.`
  if (error.status === 401)
    return `${error.detail} The token comes from --token, PARLOR_TOKEN or the file token in PARLOR_DATA (.parlor).`
  return error.detail
}

function isOurs(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
}
