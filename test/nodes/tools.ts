/** Tools whose moment of answering the test decides. Every node has the same ones. */
import { defineTool, type Tool } from "@parlor/core"
import { type Gate, gate } from "@parlor/core/testing"
import { z } from "zod"

let once: Gate = gate()
let runs = 0

/** How often it has run, and when it may answer. */
export const onceTool = {
  get runs() {
    return runs
  },
  answer: () => once.open(),
  reset() {
    runs = 0
    once = gate()
  },
}

export const tools: readonly Tool[] = [
  defineTool({
    name: "once",
    description: "Waits until the test lets it answer. Not to be run twice.",
    input: z.object({}),
    repeatable: false,
    run: async () => {
      runs += 1
      await once.opened
      return "a result"
    },
  }),
  defineTool({
    name: "ask",
    description: "Asks the person.",
    input: z.object({}),
    repeatable: true,
    run: async (_input, context) => (await context.ask({ kind: "question", title: "Which one?" })) ?? "no answer",
  }),
]
