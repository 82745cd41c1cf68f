import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import type { AnswerProps } from "./answerProps.ts"

export function QuestionAnswer({ ask, isSent, onAnswer, onDraft }: AnswerProps) {
  const [text, setText] = useState("")
  if (ask.options !== null)
    return (
      <div className="flex flex-wrap gap-2">
        {ask.options.map((option) => (
          <Button key={option} look="pill" disabled={isSent} onClick={() => onAnswer(option)} className="text-left">
            {option}
          </Button>
        ))}
      </div>
    )
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== "" && !isSent) onAnswer(text)
  }
  return (
    <form onSubmit={send} className="flex gap-2">
      <input
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onDraft(event.target.value)
        }}
        aria-label={`Answer: ${ask.title}`}
        autoComplete="off"
        className="min-w-0 flex-1 rounded-lg border border-line-strong bg-raised px-3 py-1.5"
      />
      <Button type="submit" look="main" disabled={isSent || text.trim() === ""}>
        Answer
      </Button>
    </form>
  )
}
