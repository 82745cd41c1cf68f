import { ParlorError } from "@parlor/client"
import { Complaint } from "./complaint.ts"
import { exitCodes } from "./exit-codes.ts"
import { plain } from "./plain.ts"
import { SettingsError } from "./serve/settings-error.ts"

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

/** By what the caller should do about it. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Complaint) return error.exitCode
  if (error instanceof ParlorError) return codeOfRefusal(error)
  return error instanceof SettingsError || isConfigError(error) ? exitCodes.usage : exitCodes.failed
}

/** The same as JSON: the code of the server's error table, or the kind of error. */
export function errorJson(error: unknown): object {
  const exit = exitCodeOf(error)
  if (!(error instanceof ParlorError))
    return { code: exit === exitCodes.usage ? "usage" : "failed", exit, detail: explain(error) }
  const { code, status, pointer, retryAfterMs } = error
  return {
    code,
    exit,
    detail: explain(error),
    status,
    ...(pointer ? { pointer } : {}),
    ...(retryAfterMs ? { retryAfterMs } : {}),
  }
}

export function isUnknownAgent(error: unknown): boolean {
  return error instanceof ParlorError && error.code === "agent.unknown"
}

function codeOfRefusal({ status, passing }: ParlorError): number {
  if (passing) return exitCodes.unreachable
  if (status === 401 || status === 403) return exitCodes.denied
  return status >= 400 && status < 500 ? exitCodes.refused : exitCodes.failed
}

/** By name: the agent package is only loaded where it is needed. */
function isConfigError(error: unknown): boolean {
  return error instanceof Error && (error.name === "ConfigError" || error.name === "BrokenConfig")
}
