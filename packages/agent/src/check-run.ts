/** Validates an agent's workspace, and what its commands may use. */
import type { AgentOptions } from "./agent-options.ts"
import type { ConfigError } from "./config-error.ts"

const NUMBERS = ["timeMs", "memoryBytes", "processes", "diskBytes", "outputBytes"] as const
const FIELDS: readonly string[] = [...NUMBERS, "approval", "network", "env"]
const VARIABLE = /^[A-Za-z_]\w*$/

export function checkRun({ run, workspace }: AgentOptions, wrong: (field: string, why: string) => ConfigError): void {
  if (typeof workspace === "object" && workspace !== null) {
    const [other] = Object.keys(workspace).filter((field) => field !== "folder")
    if (other !== undefined) throw wrong(`workspace.${other}`, "unknown field. Use: folder.")
    if (typeof workspace.folder !== "string" || workspace.folder === "")
      throw wrong("workspace.folder", "name a folder.")
  } else if (workspace !== undefined && typeof workspace !== "boolean")
    throw wrong("workspace", "must be true, false or { folder }.")
  if (run === undefined || typeof run === "boolean") {
    if (run === true && workspace === false) throw wrong("run", "commands need a workspace.")
    return
  }
  if (typeof run !== "object" || run === null) throw wrong("run", "must be true, false or an object.")
  if (workspace === false) throw wrong("run", "commands need a workspace.")
  for (const field of Object.keys(run))
    if (!FIELDS.includes(field)) throw wrong(`run.${field}`, `unknown field. Use: ${FIELDS.join(", ")}.`)
  for (const field of NUMBERS) {
    const value = run[field]
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw wrong(`run.${field}`, "must be a positive integer.")
  }
  if (run.approval !== undefined && run.approval !== "always" && run.approval !== "never")
    throw wrong("run.approval", 'must be "always" or "never".')
  if (run.network !== undefined && typeof run.network !== "boolean")
    throw wrong("run.network", "must be true or false.")
  for (const [name, value] of Object.entries(run.env ?? {}))
    if (!VARIABLE.test(name) || typeof value !== "string" || value.includes("\0"))
      throw wrong(`run.env.${name}`, "must be a variable with a string.")
}
