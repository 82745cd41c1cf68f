/** A question that a tool asked, and the person's answer, for one line instead of a tool row (ASK-1). Pure. */
import type { ToolPart } from "@parlor/protocol"
import { t } from "../../texts/en/message.ts"

const ASK_PERSON = "ask_person"

export type AskedWords = { readonly question: string; readonly answer: string }

/** Undefined for other tools, and while there is no answer. */
export function askedWords({ name, input, state, output }: ToolPart): AskedWords | undefined {
  if (name !== ASK_PERSON || state !== "done" || typeof output !== "string") return undefined
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined
  const { question, options } = input
  if (typeof question !== "string") return undefined
  if (output === "Nobody answered.") return { question, answer: t("noOneAnsweredInTime") }
  const isChoice = Array.isArray(options) && options.includes(output)
  return { question, answer: isChoice ? t("youChoseOutput", { output }) : t("youAnsweredOutput", { output }) }
}
