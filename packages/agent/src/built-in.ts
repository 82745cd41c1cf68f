/** Tools that come with Parlor: their names are taken. */
import { defineTool, type Tool } from "@parlor/core"
import { z } from "zod"

const ASK_PERSON = "ask_person"
const CURRENT_TIME = "current_time"

export const BUILT_IN_TOOLS: ReadonlySet<string> = new Set([
  ASK_PERSON,
  CURRENT_TIME,
  "list_files",
  "read_file",
  "write_file",
  "edit_file",
  "delete_file",
  "move_file",
  "search_files",
  "run",
  "memory_write",
  "memory_read",
  "memory_list",
  "memory_delete",
  "recall",
  "skill_read",
  "read_output",
  "request_wakeup",
  "cancel_wakeup",
])

const timeInput = z.object({ timeZone: z.string().max(64).describe("An IANA name such as Europe/Berlin").optional() })
const askInput = z.object({
  question: z.string().min(1).max(1_000),
  options: z.array(z.string().min(1).max(200)).min(2).max(10).describe("Answers to choose from").optional(),
})

/** The default tools of every agent. */
export const standardTools: readonly Tool[] = [
  defineTool({
    name: CURRENT_TIME,
    description: "The current date and time, in a time zone when one is given.",
    input: timeInput,
    repeatable: true,
    run: async ({ timeZone }, context) => {
      const now = new Date(context.now())
      const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
      const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone: zone })
      return { local: format.format(now), timeZone: zone, iso: now.toISOString() }
    },
  }),
  defineTool({
    name: ASK_PERSON,
    description:
      "Asks the person a question and waits for the answer. Use it when you cannot continue without the answer.",
    input: askInput,
    repeatable: true,
    run: async ({ question, options }, context) => {
      const answer = await context.ask({
        kind: "question",
        title: question,
        ...(options ? { options, other: true } : {}),
      })
      return answer ?? "Nobody answered."
    },
  }),
]
