import type { AuditEntry } from "@parlor/core"
import type { Statement } from "./connect.ts"

export const INSERT_AUDIT: Statement = {
  name: "insert-audit",
  text: "INSERT INTO audit (at, person, act, subject) VALUES ($1, $2, $3, $4)",
}

export function auditCells({ at, person, act, subject }: AuditEntry): (string | number)[] {
  return [at, person, act, subject]
}
