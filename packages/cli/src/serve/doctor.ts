/** `parlor doctor`: checks the database of this server, and repairs what the log can repair (OPS-23, OPS-24). */
import { join } from "node:path"
import { type Examination, type Finding, runDoctor } from "@parlor/store"
import { exitCodes } from "../exit-codes.ts"
import { plain, plainJson } from "../plain.ts"
import type { Terminal } from "../terminal.ts"
import { asComplaint } from "./back-up.ts"
import { databaseOf, dataFolderOf } from "./settings.ts"

type DoctorOptions = { readonly terminal: Terminal; readonly repair?: boolean }

/** Exit code 1 as long as something is wrong. Warnings are not wrong. */
export async function doctor({ terminal, repair = false }: DoctorOptions): Promise<number> {
  const url = databaseOf(process.env.DATABASE_URL)
  const at = url === undefined ? { path: join(dataFolderOf(process.env), "parlor.db") } : { url }
  const examination = await asComplaint(runDoctor({ at, repair }))
  const errors = examination.findings.filter(({ severity }) => severity === "error").length
  for (const line of terminal.isJson ? jsonLines(examination) : lines(examination)) await terminal.out(`${line}\n`)
  const words = summary(examination, errors)
  await terminal.report(words, { ...examination.checked, errors, warnings: examination.findings.length - errors })
  return errors > 0 ? exitCodes.failed : exitCodes.done
}

function jsonLines({ findings, repaired }: Examination): readonly string[] {
  const line = ({ remedy, ...finding }: Finding, isRepaired: boolean) =>
    plainJson(JSON.stringify({ ...finding, repairable: remedy !== undefined, repaired: isRepaired }))
  return [...repaired.map((finding) => line(finding, true)), ...findings.map((finding) => line(finding, false))]
}

function lines({ findings, repaired }: Examination): readonly string[] {
  const line = (state: string, { check, subject, detail }: Finding) =>
    plain(`${state}  ${check}${subject === "" ? "" : ` (${subject})`}: ${detail}`)
  return [
    ...repaired.map((finding) => line("repaired", finding)),
    ...findings.map((finding) => line(finding.severity, finding)),
  ]
}

function summary({ checked, findings, repaired }: Examination, errors: number): string {
  const { streams, events, rows, contents } = checked
  const what = `Checked ${streams} logs with ${events} events and ${rows} rows, and ${contents} contents.`
  if (findings.length === 0) return repaired.length === 0 ? `${what} No problems.` : `${what} Everything is repaired.`
  const found = `${errors} errors, ${findings.length - errors} warnings.`
  const canRepair = findings.some(({ remedy }) => remedy !== undefined)
  return `${what} ${found}${canRepair ? ' Stop the server and run "parlor doctor --repair".' : ""}`
}
