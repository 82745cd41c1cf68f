import { ParlorError } from "@parlor/client"
import { plain } from "./plain.ts"

/** Something the person at the terminal can put right. Its message is shown as it is. */
export class Complaint extends Error {}

/** One sentence for whoever typed the command. */
export function explain(error: unknown): string {
  if (error instanceof Complaint) return error.message
  if (error instanceof ParlorError) return plain(explainParlor(error))
  if (error instanceof Error) return plain(`This should not have happened: ${error.stack ?? error.message}`)
  return plain(String(error))
}

function explainParlor(error: ParlorError): string {
  if (error.code === "network")
    return `${error.detail} Start the server with "parlor serve", or say where it is with --url or PARLOR_URL.`
  if (error.status === 401)
    return `${error.detail} The token comes from --token, PARLOR_TOKEN or the file token in PARLOR_DATA (.parlor).`
  return error.detail
}
