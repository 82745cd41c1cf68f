import { type AskRow, type ToolPart, unreachable } from "@parlor/protocol"
import { ClipboardList, MessageCircleQuestionMark, ShieldQuestionMark } from "lucide-react"
import { useId, useRef, useState } from "react"
import { t } from "../../texts/en/ask.ts"
import { rich } from "../../texts/rich.ts"
import { registry } from "../keyboard/useShortcut.ts"
import { Alert } from "../status/Alert.tsx"
import { Countdown } from "../status/Countdown.tsx"
import type { Note } from "../status/problemWords.ts"
import { ApprovalAnswer } from "./ApprovalAnswer.tsx"
import { AskDetail } from "./AskDetail.tsx"
import type { AnswerProps } from "./answerProps.ts"
import { FormAnswer } from "./FormAnswer.tsx"
import { QuestionAnswer } from "./QuestionAnswer.tsx"
import type { Asks } from "./useAsks.ts"
import { useFieldFocus } from "./useFieldFocus.ts"

const signs = { approval: ShieldQuestionMark, question: MessageCircleQuestionMark, form: ClipboardList } as const

export type AskCardProps = { readonly ask: AskRow; readonly tool: ToolPart | undefined; readonly asks: Asks }

/** An open ask. The first answer counts, from any device (TRN-12). */
export function AskCard({ ask, tool, asks }: AskCardProps) {
  const title = useId()
  const card = useRef<HTMLElement>(null)
  const [isSent, setIsSent] = useState(false)
  const [refusal, setRefusal] = useState<Note>()
  const Sign = signs[ask.kind]
  useFieldFocus(card)
  const onAnswer: AnswerProps["onAnswer"] = (value, always) => {
    setIsSent(true)
    void asks.answer(ask.id, value, always).then((note) => {
      setRefusal(note)
      if (note !== undefined) return setIsSent(false)
      // The card disappears; keep the focus from being lost with it.
      const at = document.activeElement
      if (at === document.body || card.current?.contains(at)) registry.run("write")
    })
  }
  return (
    <section
      ref={card}
      data-ask="open"
      aria-labelledby={title}
      className="mt-5 animate-arrive rounded-2xl border border-accent/45 bg-raised px-4 py-3.5 shadow-float"
    >
      <h2 id={title} className="flex items-start gap-2.5 font-medium">
        <Sign aria-hidden className="mt-[0.2rem] size-4.5 shrink-0 text-accent" />
        <span className="min-w-0 break-words">{ask.title}</span>
      </h2>
      <AskDetail ask={ask} tool={tool} />
      <div className="mt-3">
        <Answering ask={ask} isSent={isSent} onAnswer={onAnswer} onDraft={(text) => asks.draft(ask.id, text)} />
      </div>
      {ask.expiresAt !== null && (
        <p className="mt-2 text-muted text-xs">
          {rich(t.pieces("expires", { when: <Countdown until={ask.expiresAt} /> }))}
        </p>
      )}
      {refusal && <Alert note={refusal} className="mt-3" />}
    </section>
  )
}

function Answering(props: AnswerProps) {
  switch (props.ask.kind) {
    case "approval":
      return <ApprovalAnswer {...props} />
    case "question":
      return <QuestionAnswer {...props} />
    case "form":
      return <FormAnswer {...props} />
    default:
      return unreachable(props.ask.kind)
  }
}
