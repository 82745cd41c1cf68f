/** A model's fault as people and clients see it (MOD-14). */
import type { ProblemNote } from "@parlor/protocol"
import type { ModelFault } from "../ports/model.ts"

const codes = { quota: "model.quota", key: "model.key" } as const

export function faultNote({ kind, message }: ModelFault): ProblemNote {
  return { code: kind === undefined ? "model.failed" : codes[kind], detail: message }
}
