/** Checks an answer against its ask. Pure. */
import { type AskRow, limits, Refusal, textDefect, unreachable } from "@parlor/protocol"
import { z } from "zod"
import type { Json } from "../ports/json.ts"

export function checkAnswer(ask: AskRow, answer: Json): void {
  if (JSON.stringify(answer).length > limits.answerBytes)
    throw new Refusal("ask.invalid", `An answer has at most ${limits.answerBytes} characters.`, "/answer")
  switch (ask.kind) {
    case "approval":
      checkApproval(ask, answer)
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

/** A hosted agent may offer more than yes and no, such as to always allow it (HST-4). */
function checkApproval({ options }: AskRow, answer: Json): void {
  if (typeof answer === "boolean" || options?.includes(answer as string)) return
  const others = options === null ? "" : ` You can also answer with one of: ${options.join(", ")}.`
  throw new Refusal("ask.invalid", `Answer true to allow it, false to deny it.${others}`, "/answer")
}

function checkChoice(ask: AskRow, answer: Json): void {
  if (typeof answer !== "string" || answer.trim() === "" || textDefect(answer) !== undefined)
    throw new Refusal("ask.invalid", "Answer with a string.", "/answer")
  if (ask.options !== null && ask.other !== true && !ask.options.includes(answer))
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
