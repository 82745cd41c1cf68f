import { type FormEvent, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/ask.ts"
import { Button } from "../../ui/Button.tsx"
import type { AnswerProps } from "./answerProps.ts"

export function QuestionAnswer(props: AnswerProps) {
  const { ask, isSent, onAnswer } = props
  const [isOther, setOther] = useState(false)
  if (ask.options === null) return <TextAnswer {...props} />
  return (
    <div className="space-y-2.5">
      <div className="flex flex-wrap gap-2">
        {ask.options.map((option) => (
          <Button key={option} look="pill" disabled={isSent} onClick={() => onAnswer(option)} className="text-left">
            {option}
          </Button>
        ))}
        {ask.other === true && (
          <Button look="pill" disabled={isSent} aria-expanded={isOther} onClick={() => setOther(!isOther)}>
            {t("other")}
          </Button>
        )}
      </div>
      {isOther && <TextAnswer {...props} isAsked />}
    </div>
  )
}

/** `isAsked`: the person asked for the field, so it takes the focus. */
function TextAnswer({ ask, isSent, onAnswer, onDraft, isAsked = false }: AnswerProps & { readonly isAsked?: boolean }) {
  const [text, setText] = useState("")
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isAsked) field.current?.focus()
  }, [isAsked])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== "" && !isSent) onAnswer(text)
  }
  return (
    <form onSubmit={send} className="flex gap-2">
      <input
        ref={field}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onDraft(event.target.value)
        }}
        aria-label={t("answerTitle", { title: ask.title })}
        autoComplete="off"
        className="min-w-0 flex-1 rounded-lg border border-line-strong bg-raised px-3 py-1.5"
      />
      <Button type="submit" look="main" disabled={isSent || text.trim() === ""}>
        {t("answer")}
      </Button>
    </form>
  )
}
