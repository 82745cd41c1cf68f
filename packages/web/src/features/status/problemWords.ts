/** An error in words for a person: what happened, and what they can do about it. */
export type Note = { readonly code: string; readonly detail: string }
export type ProblemWords = { readonly title: string; readonly detail: string }

const again = "Send again to try once more."

/** Codes whose own sentence says nothing to a person. */
const unsaid: ReadonlySet<string> = new Set([
  "message.changed",
  "message.not-queued",
  "position.invalid",
  "ask.closed",
  "steer.nothing-running",
])

const words: Readonly<Record<string, readonly [title: string, advice: string]>> = {
  "queue.full": ["The queue is full", "Your text is still in the box: send it when a waiting message is done."],
  "text.malformed": ["The message holds a character that cannot be sent", "Your text is back in the box."],
  "message.too-large": ["The message is too large", "Send it in smaller pieces."],
  "rate.exceeded": ["Too many messages at once", "Wait a moment, then send again."],
  "agent.unknown": ["There is no such agent", "Choose one from the list."],
  "store.unavailable": ["The server cannot reach its storage", "Nothing was lost. Try again in a moment."],
  "server.stopping": ["The server is stopping", "The page reconnects when it is back."],
  network: ["The server cannot be reached", "It is tried again by itself."],
  timeout: ["The server took too long to answer", ""],
  "turn.too-many-steps": ["The agent took too many steps", "Tell it to go on, or ask for less at once."],
  "message.changed": ["It was changed in another window", "Look at what it says now, then save again."],
  "message.not-queued": ["It is not waiting any more", "It has started, or it was removed in another window."],
  "position.invalid": ["It could not be moved there", "The queue has changed meanwhile. Try again."],
  "conversation.contended": ["Too much happened at once", "Try again in a moment."],
  "ask.closed": ["This was answered already", "The first answer counts."],
  "ask.unknown": ["This is not asked any more", ""],
  "ask.invalid": ["That does not fit what was asked", ""],
  "steer.nothing-running": ["Sent the ordinary way", "The answer had ended, so there was nothing to join."],
  "memory.full": ["There is no room for it", ""],
  "memory.unknown": ["It is not there any more", "It was deleted by an agent or in another window."],
  "file.changed": ["It was changed meanwhile", "Look at what is there now, or save yours instead."],
  "file.unknown": ["It is not there any more", ""],
  "file.exists": ["There is such a file already", ""],
  "file.clash": ["Something else is in the way", ""],
  "file.path": ["That cannot be its path", ""],
  "file.not-plain": ["It is not a plain file on the server's disk", ""],
  "file.too-large": ["The file is too large", ""],
  "workspace.full": ["There is no room for more files", ""],
  "turn.over": ["That turn has already ended", ""],
  "turn.none": ["Nothing is running", ""],
}

export function problemWords(note: Note | null | undefined): ProblemWords {
  if (note === null || note === undefined) return { title: "The last turn failed", detail: again }
  const known = words[note.code]
  const said = unsaid.has(note.code) ? "" : note.detail
  if (known) return { title: known[0], detail: [sentence(said), known[1]].filter(Boolean).join(" ") }
  if (note.code.startsWith("auth.")) return { title: "The server refused this token", detail: note.detail }
  if (note.code.startsWith("model."))
    return { title: "The model could not answer", detail: `${sentence(note.detail)} ${again}`.trim() }
  return { title: "Something went wrong", detail: note.detail }
}

/** Providers do not always end theirs. */
function sentence(text: string): string {
  return text === "" || /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Whatever was thrown, as a note. */
export function noteOf(error: unknown): Note {
  if (typeof error !== "object" || error === null) return { code: "unknown", detail: String(error) }
  const { code, detail, message } = error as { code?: unknown; detail?: unknown; message?: unknown }
  const said = [detail, message].find((text) => typeof text === "string" && text !== "")
  return { code: typeof code === "string" ? code : "unknown", detail: typeof said === "string" ? said : "" }
}

/** Whether the token itself was turned down: then only another one helps. */
export function refusesToken(error: unknown): boolean {
  if (error === null || error === undefined) return false
  const { code } = noteOf(error)
  return code.startsWith("auth.") && code !== "auth.forbidden"
}
