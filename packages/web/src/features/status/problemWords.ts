/** An error as title and advice, from `problemTable.ts`. */
import { t } from "../../texts/en/status.ts"
import { problemRow } from "./problemTable.ts"

export type Note = { readonly code: string; readonly detail: string }
export type ProblemWords = { readonly title: string; readonly detail: string }

export function problemWords(note: Note | null | undefined): ProblemWords {
  if (note === null || note === undefined) return { title: t("theLastTurnFailed"), detail: t("tryAgain") }
  const known = problemRow(note.code)
  if (known) {
    const { title, advice, isBare } = known
    return { title, detail: isBare ? advice : `${sentence(note.detail)} ${advice}`.trim() }
  }
  if (note.code.startsWith("model."))
    return { title: t("theModelCouldntAnswer"), detail: `${sentence(note.detail)} ${t("tryAgain")}`.trim() }
  return { title: t("somethingWentWrong"), detail: note.detail || t("yourTextIsKeptTry") }
}

/** Providers' messages may lack the final period. */
function sentence(text: string): string {
  return text === "" || /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Turns anything thrown into a note. */
export function noteOf(error: unknown): Note {
  if (typeof error !== "object" || error === null) return { code: "unknown", detail: String(error).trim() }
  const { code, detail, message } = error as { code?: unknown; detail?: unknown; message?: unknown }
  const said = [detail, message]
    .map((text) => (typeof text === "string" ? text.trim() : ""))
    .find((text) => text !== "")
  return { code: typeof code === "string" ? code : "unknown", detail: said ?? "" }
}

/** Whether the token itself was rejected, so that only another one helps. */
export function refusesToken(error: unknown): boolean {
  if (error === null || error === undefined) return false
  const { code } = noteOf(error)
  return code.startsWith("auth.") && code !== "auth.forbidden" && code !== "auth.unavailable"
}
