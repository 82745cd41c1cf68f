/** An error as title and advice, from `problemTable`. */
import { problemTable } from "./problemTable.ts"

export type Note = { readonly code: string; readonly detail: string }
export type ProblemWords = { readonly title: string; readonly detail: string }

const again = "Send your message again."

export function problemWords(note: Note | null | undefined): ProblemWords {
  if (note === null || note === undefined) return { title: "The last turn failed", detail: again }
  const known = Object.hasOwn(problemTable, note.code) ? problemTable[note.code] : undefined
  if (known) {
    const [title, advice, bare] = known
    return { title, detail: bare === "bare" ? advice : `${sentence(note.detail)} ${advice}`.trim() }
  }
  if (note.code.startsWith("model."))
    return { title: "The model couldn't answer", detail: `${sentence(note.detail)} ${again}`.trim() }
  return { title: "Something went wrong", detail: note.detail || "Your text is kept. Try again in a moment." }
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
