/** Checks an answer against its ask. Pure. */
import { type AskRow, limits, Refusal, textDefect, unreachable } from "@parlor/protocol"
import { z } from "zod"
import type { Json } from "../ports/json.ts"

export function checkAnswer(ask: AskRow, answer: Json): void {
  if (JSON.stringify(answer).length > limits.answerBytes)
    throw new Refusal("ask.invalid", `An answer has at most ${limits.answerBytes} characters.`, "/answer")
  switch (ask.kind) {
    case "approval":
      if (typeof answer !== "boolean")
        throw new Refusal("ask.invalid", "Answer true to allow it, false to deny it.", "/answer")
      return
    case "question":
      checkChoice(ask, answer)
      return
    case "form":
      checkForm(ask, answer)
      return
    default:
      unreachable(ask.kind)
  }
}

function checkChoice(ask: AskRow, answer: Json): void {
  if (typeof answer !== "string" || answer.trim() === "" || textDefect(answer) !== undefined)
    throw new Refusal("ask.invalid", "Answer with a string.", "/answer")
  if (ask.options !== null && !ask.options.includes(answer))
    throw new Refusal("ask.invalid", `Answer with one of: ${ask.options.join(", ")}.`, "/answer")
}

function checkForm(ask: AskRow, answer: Json): void {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer))
    throw new Refusal("ask.invalid", "Answer with an object that contains the form's fields.", "/answer")
  if (ask.schema === null) return
  const parsed = z.fromJSONSchema(ask.schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(answer)
  if (parsed.success) return
  const issue = parsed.error.issues[0]
  throw new Refusal(
    "ask.invalid",
    issue?.message ?? "The answer does not match the form's schema.",
    `/answer${issue?.path.map((step) => `/${String(step)}`).join("") ?? ""}`,
  )
}
