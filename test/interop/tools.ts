/** The tools of the agents that other protocols' clients talk to. */
import { defineTool } from "@parlor/core"
import { z } from "zod"

/** Needs an approval each time, and must not run twice. */
export const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: z.object({ amount: z.number() }),
  approval: "always",
  repeatable: false,
  run: ({ amount }) => Promise.resolve({ paid: amount }),
})

/** Asks the person a question. */
export const choose = defineTool({
  name: "choose",
  description: "Asks.",
  input: z.object({}),
  repeatable: true,
  run: async (_input, { ask }) =>
    `chosen: ${String(await ask({ kind: "question", title: "Which?", options: ["Tea", "Coffee"] }))}`,
})

/** Runs without asking. */
export const clock = defineTool({
  name: "clock",
  description: "Tells the time.",
  input: z.object({}),
  repeatable: true,
  run: () => Promise.resolve("noon"),
})

/** The events of a reply that arrives in pieces. */
export const words = (...texts: string[]) => texts.map((text) => ({ type: "text", text }) as const)
