/** What a tool call did, in a person's words. Pure (MSG-17). */
import type { Part, ToolPart } from "@parlor/protocol"
import { t } from "../../texts/en/message.ts"
import type { PlainKey } from "../../texts/texts.ts"
import { askedWords } from "./askedWords.ts"

type Verb = {
  readonly done: PlainKey<typeof t>
  readonly open: PlainKey<typeof t>
  readonly several?: "readFiles" | "wroteFiles" | "editedFiles" | "deletedFiles" | "movedFiles"
}

/** The tools that ship with Parlor, and names that are common elsewhere. */
const verbs: Readonly<Record<string, Verb>> = {
  list_files: { done: "listedFiles", open: "listFiles" },
  read_file: { done: "read", open: "read", several: "readFiles" },
  search_files: { done: "searchedFiles", open: "searchFiles" },
  write_file: { done: "wrote", open: "write", several: "wroteFiles" },
  edit_file: {
    done: "edited",
    open: "editIt",
    several: "editedFiles",
  },
  delete_file: {
    done: "deleted",
    open: "deleteIt",
    several: "deletedFiles",
  },
  move_file: { done: "moved", open: "move", several: "movedFiles" },
  memory_write: { done: "savedAMemory", open: "saveAMemory" },
  memory_read: { done: "readAMemory", open: "readAMemory" },
  memory_list: { done: "listedMemories", open: "listMemories" },
  memory_delete: { done: "deletedAMemory", open: "deleteAMemory" },
  recall: { done: "searchedEarlierMessages", open: "searchEarlierMessages" },
  request_wakeup: { done: "setAReminder", open: "setAReminder" },
  cancel_wakeup: { done: "canceledAReminder", open: "cancelAReminder" },
  skill_read: { done: "readASkill", open: "readASkill" },
  current_time: { done: "checkedTheTime", open: "checkTheTime" },
  web_search: { done: "searchedTheWeb", open: "searchTheWeb" },
  search_web: { done: "searchedTheWeb", open: "searchTheWeb" },
  fetch_url: { done: "openedAPage", open: "openAPage" },
}

export type ToolTitle = {
  readonly text: string
  /** The name of the tool, because there are no words for it. */
  readonly isName: boolean
}

export function toolTitle({ name, state }: Pick<ToolPart, "name" | "state">): ToolTitle {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) return { text: name, isName: true }
  return { text: t(state === "done" ? verb.done : verb.open), isName: false }
}

/** Several calls in one line: "Read 3 files, searched the web". */
export function groupTitle(parts: readonly Pick<ToolPart, "name">[]): string {
  const counts = new Map<string, number>()
  for (const { name } of parts) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [first = "", ...more] = [...counts].map(([name, count]) => countedTitle(name, count))
  return [first, ...more.map(lowerFirst)].join(", ")
}

function countedTitle(name: string, count: number): string {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb?.several !== undefined) return t(verb.several, { count })
  return t("doneTimes", { what: verb === undefined ? name : t(verb.done), count })
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Runs of finished tool calls, as ranges of indexes: each is shown as one line. */
export function toolRuns(parts: readonly Part[]): ReadonlyMap<number, number> {
  const runs = new Map<number, number>()
  for (let from = 0; from < parts.length; from++) {
    let to = from
    while (isQuiet(parts[to])) to += 1
    if (to - from > 1) runs.set(from, to)
    from = Math.max(from, to - 1)
  }
  return runs
}

function isQuiet(part: Part | undefined): boolean {
  if (part?.type !== "tool" || part.state !== "done" || part.pictures !== undefined) return false
  return askedWords(part) === undefined
}
