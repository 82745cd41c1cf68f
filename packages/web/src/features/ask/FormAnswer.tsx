import { type FormEvent, useMemo, useState } from "react"
import { t } from "../../texts/en/ask.ts"
import { Button } from "../../ui/Button.tsx"
import type { AnswerProps } from "./answerProps.ts"
import { FormField } from "./FormField.tsx"
import { type Entries, entriesOf, type Filled, fieldsOf, filledIn, parsedForm } from "./fields.ts"
import { JsonField } from "./JsonField.tsx"

const asJson = "{\n  \n}"

export function FormAnswer({ ask, isSent, onAnswer, onDraft }: AnswerProps) {
  const fields = useMemo(() => fieldsOf(ask.schema), [ask.schema])
  const [entries, setEntries] = useState<Entries>(() => entriesOf(fields ?? []))
  const [json, setJson] = useState(asJson)
  const [wrong, setWrong] = useState<Extract<Filled, { ok: false }>>()
  const send = (event: FormEvent) => {
    event.preventDefault()
    const filled = fields ? filledIn(fields, entries) : parsedForm(json)
    setWrong(filled.ok ? undefined : filled)
    if (filled.ok && !isSent) onAnswer(filled.answer)
  }
  const enter = (next: Entries) => {
    setEntries(next)
    onDraft(JSON.stringify(next))
  }
  return (
    <form onSubmit={send} noValidate className="space-y-3">
      {fields ? (
        fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            entry={entries[field.name] ?? field.initial}
            wrong={wrong?.name === field.name}
            onEnter={(entry) => enter({ ...entries, [field.name]: entry })}
          />
        ))
      ) : (
        <JsonField
          schema={ask.schema}
          text={json}
          onEnter={(text) => {
            setJson(text)
            onDraft(text)
          }}
        />
      )}
      {wrong && (
        <p role="alert" className="text-bad text-sm">
          {wrong.why}
        </p>
      )}
      <Button type="submit" look="main" disabled={isSent}>
        {t("answer")}
      </Button>
    </form>
  )
}
