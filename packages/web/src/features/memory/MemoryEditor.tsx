import { type FormEvent, useEffect, useId, useRef, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/memory.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { Summary } from "../../ui/Summary.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { completedDraft, type Draft, draftDefect, TYPES } from "./memoryView.ts"

export type MemoryEditorProps = {
  readonly draft: Draft
  readonly isNew: boolean
  /** Resolves once saved or rejected. The editor stays open until it is closed. */
  readonly onSave: (draft: Draft) => Promise<void>
  readonly onClose: () => void
}

export function MemoryEditor({ draft: given, isNew, onSave, onClose }: MemoryEditorProps) {
  const [draft, setDraft] = useState(given)
  const [tries, setTries] = useState(0)
  const [isSaving, setSaving] = useState(false)
  const types = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.scrollIntoView({ block: "nearest" })
    form.current?.querySelector("textarea")?.focus()
  }, [])
  const whole = completedDraft(draft)
  const isEmpty = draft.body.trim() === "" && draft.description.trim() === ""
  const found = isEmpty ? ({ field: "body", words: t("writeWhatToRemember") } as const) : draftDefect(whole)
  const defect = tries > 0 ? found : undefined
  const isInside = defect !== undefined && defect.field !== "body"
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus()
  }, [tries])
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTries(tries + 1)
    if (found !== undefined) return
    setSaving(true)
    await onSave(whole)
    setSaving(false)
  }
  const field = (name: keyof Draft) => ({
    name,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  })
  const problemOf = (name: keyof Draft) => (defect?.field === name ? defect.words : undefined)
  return (
    <form
      ref={form}
      aria-label={isNew ? t("newMemory") : t("editName", { name: given.name })}
      onSubmit={submit}
      className="mt-4 animate-arrive space-y-3 rounded-xl border border-line bg-sunken p-4 text-sm"
    >
      <Field label={t("whatToRemember")} problem={problemOf("body")} hint={t("agentsReadItWhenThey")}>
        {(props) => <textarea {...props} {...field("body")} value={draft.body} rows={5} />}
      </Field>
      <Switch
        label={t("pinned")}
        hint={t("agentsReadItsTextIn")}
        isOn={draft.pinned}
        onChange={(pinned) => change({ pinned })}
      />
      <details open={isInside || undefined} className="group">
        <Summary>{t("advanced")}</Summary>
        <div className="mt-3 space-y-3">
          {isNew && (
            <div className="grid items-start gap-3 sm:grid-cols-2">
              <Field label={t("name")} problem={problemOf("name")} hint={t("lowercaseLettersAndHyphens")}>
                {(props) => (
                  <input {...props} {...field("name")} value={draft.name} placeholder={whole.name} autoComplete="off" />
                )}
              </Field>
              <Field label={t("visibleTo")} hint={t("onlyMeHidesItFrom")}>
                {(props) => (
                  <select {...props} {...field("scope")} value={draft.scope}>
                    <option value="user">{t("onlyMe")}</option>
                    <option value="project">{t("everyone")}</option>
                  </select>
                )}
              </Field>
            </div>
          )}
          <Field label={t("description")} problem={problemOf("description")} hint={t("oneLineAgentsSeeIt")}>
            {(props) => (
              <input
                {...props}
                {...field("description")}
                value={draft.description}
                placeholder={whole.description}
                autoComplete="off"
              />
            )}
          </Field>
          <Field label={t("type")} problem={problemOf("type")}>
            {(props) => (
              <>
                <input {...props} {...field("type")} value={draft.type} list={types} autoComplete="off" />
                <datalist id={types}>
                  {TYPES.map((type) => (
                    <option key={type} value={type} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
        </div>
      </details>
      {defect !== undefined && (
        <p role="alert" className="sr-only">
          {defect.words}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="main" type="submit" disabled={isSaving}>
          {common("save")}
        </Button>
        <Button onClick={onClose}>{common("cancel")}</Button>
      </div>
    </form>
  )
}
