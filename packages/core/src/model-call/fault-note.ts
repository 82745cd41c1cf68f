/** A model's fault as people and clients see it (MOD-14). */
import type { ProblemNote } from "@parlor/protocol"
import type { ModelFault } from "../ports/model.ts"

export function faultNote({ kind, message }: ModelFault): ProblemNote {
  return { code: `model.${kind ?? "failed"}`, detail: message }
}
