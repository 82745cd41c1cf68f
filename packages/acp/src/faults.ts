/** What went wrong with a hosted agent, in words for the person who talks to it (HST-7). Pure. */
import { RequestError } from "@agentclientprotocol/sdk"
import { HarnessFault } from "@parlor/core"
import type { Ended } from "./processes.ts"

const AUTH_REQUIRED = -32_000
const MAX_DETAIL = 1_000

export function endedFault(program: string, { code, signal, error }: Ended, stderr: string): HarnessFault {
  const { code: reason } = (error ?? {}) as { readonly code?: string }
  if (reason === "ENOENT")
    return new HarnessFault("start", `The program "${program}" was not found. Check the command of this agent.`)
  if (reason === "EACCES")
    return new HarnessFault("start", `The program "${program}" may not be run. Check its permissions.`)
  if (error !== undefined) return new HarnessFault("start", `The agent could not be started: ${error.message}`)
  const how = signal === null ? `with code ${code}` : `by ${signal}`
  const last = stderr.split("\n").at(-1)?.slice(0, MAX_DETAIL) ?? ""
  return new HarnessFault("ended", `The agent's process ended ${how}.${last === "" ? "" : ` It said: ${last}`}`)
}

export function startFault(program: string, ms: number): HarnessFault {
  return new HarnessFault("start", `The agent "${program}" did not respond within ${ms / 1_000} s.`)
}

/** An error that the agent answered with. */
export function refusedFault(error: unknown): HarnessFault {
  if (error instanceof HarnessFault) return error
  if (error instanceof RequestError && error.code === AUTH_REQUIRED)
    return new HarnessFault("refused", `The agent needs to be signed in first. ${wordsOf(error)}`.trim())
  return new HarnessFault("refused", `The agent reported an error: ${wordsOf(error)}`, { cause: error })
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_DETAIL)
  const { data } = error as { readonly data?: unknown }
  const details =
    typeof data === "object" && data !== null && typeof (data as Record<string, unknown>).details === "string"
      ? ` (${String((data as Record<string, unknown>).details)})`
      : ""
  return `${error.message}${details}`.slice(0, MAX_DETAIL)
}
