import { ParlorError } from "@parlor/client"
import { plain } from "./plain.ts"

/** Something the person at the terminal can put right. Its message is shown as it is. */
export class Complaint extends Error {}

/** One sentence for whoever typed the command; with the place in the code when the mistake is ours. */
export function explain(error: unknown): string {
  if (error instanceof ParlorError) return plain(explainParlor(error))
  if (!(error instanceof Error)) return plain(String(error))
  if ("code" in error && error.code === "EADDRINUSE")
    return `${error.message}. Is Parlor running already? Choose another port with PARLOR_PORT.`
  return plain(isOurs(error) ? `This should not have happened: ${error.stack ?? error.message}` : error.message)
}

function explainParlor(error: ParlorError): string {
  if (error.code === "network")
    return `${error.detail} Start the server with "parlor serve", or say where it is with --url or PARLOR_URL.`
  if (error.status === 401)
    return `${error.detail} The token comes from --token, PARLOR_TOKEN or the file token in PARLOR_DATA (.parlor).`
  return error.detail
}

function isOurs(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
}
