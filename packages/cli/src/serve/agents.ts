/** The agents of a server without a config file. */
import { type Agent, defineTool, type Model } from "@parlor/core"
import { z } from "zod"

export function defaultAgents(model: Model): readonly Agent[] {
  return [
    {
      name: "host",
      description: "A general helper: asks, explains, drafts.",
      instructions:
        "You are host, a helpful and friendly agent in Parlor. Answer in the person's language, in clear markdown, " +
        "no longer than the question needs. Say so when you do not know something.",
      model,
      tools: [currentTime, askPerson],
      commands: [],
    },
    {
      name: "critic",
      description: "Looks for what is wrong or missing, kindly.",
      instructions:
        "You are critic. Read what is before you and say, briefly and kindly, what is wrong, unclear or missing, the " +
        "most important first, each with a suggestion. If it is good, say that in one sentence.",
      model,
      tools: [],
      commands: [],
    },
    {
      name: "scribe",
      description: "Writes down what was decided.",
      instructions:
        "You are scribe. Write down what was said as short notes: decisions, open questions, next steps with who does " +
        "them. Add nothing that was not said.",
      model,
      tools: [],
      commands: [],
    },
  ]
}

const currentTime = defineTool({
  name: "current_time",
  description: "The current date and time, in a time zone when one is given.",
  input: z.object({ timeZone: z.string().max(64).describe("An IANA name such as Europe/Berlin").optional() }),
  repeatable: true,
  run: async ({ timeZone }, context) => {
    const now = new Date(context.now())
    const zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone: zone }).format(now)
    return { local, timeZone: zone, iso: now.toISOString() }
  },
})

const askPerson = defineTool({
  name: "ask_person",
  description: "Asks the person a question and waits for the answer. Use it when you cannot go on without knowing.",
  input: z.object({
    question: z.string().min(1).max(1_000),
    options: z.array(z.string().min(1).max(200)).min(2).max(10).describe("Answers to choose from").optional(),
  }),
  repeatable: true,
  run: async ({ question, options }, context) => {
    const answer = await context.ask({ kind: "question", title: question, ...(options ? { options } : {}) })
    return answer ?? "Nobody answered."
  },
})
