import { type FormEvent, useEffect, useId, useRef, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { Switch } from "../../ui/Switch.tsx"
import { type Draft, draftDefect, TYPES } from "./memoryView.ts"

export type MemoryEditorProps = {
  readonly draft: Draft
  readonly isNew: boolean
  /** Resolves once saved or rejected. The editor stays open until it is closed. */
  readonly onSave: (draft: Draft) => Promise<void>
  readonly onClose: () => void
}

export function MemoryEditor({ draft: given, isNew, onSave, onClose }: MemoryEditorProps) {
  const [draft, setDraft] = useState(given)
  const [isTried, setTried] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const types = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.scrollIntoView({ block: "nearest" })
    form.current?.querySelector("input")?.focus()
  }, [])
  const defect = isTried ? draftDefect(draft) : undefined
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (draftDefect(draft) !== undefined) return
    setSaving(true)
    await onSave(draft)
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
      aria-label={isNew ? "New memory" : `Edit ${given.name}`}
      onSubmit={submit}
      className="mt-4 animate-arrive space-y-3 rounded-xl border border-line bg-sunken p-4 text-sm"
    >
      {isNew && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Name" problem={problemOf("name")} hint="Lowercase letters and hyphens.">
            {(props) => (
              <input {...props} {...field("name")} value={draft.name} placeholder="metric-units" autoComplete="off" />
            )}
          </Field>
          <Field label="Visible to" hint="“Only me” hides it from other people.">
            {(props) => (
              <select {...props} {...field("scope")} value={draft.scope}>
                <option value="user">Only me</option>
                <option value="project">Everyone</option>
              </select>
            )}
          </Field>
        </div>
      )}
      <Field label="Description" problem={problemOf("description")} hint="One line. Agents see it in every turn.">
        {(props) => <input {...props} {...field("description")} value={draft.description} autoComplete="off" />}
      </Field>
      <Field label="Type" problem={problemOf("type")}>
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
      <Field label="Text" problem={problemOf("body")} hint="Markdown. Agents read it when they need it.">
        {(props) => <textarea {...props} {...field("body")} value={draft.body} rows={6} />}
      </Field>
      <Switch
        label="Pinned"
        hint="Agents read its text in every turn."
        isOn={draft.pinned}
        onChange={(pinned) => change({ pinned })}
      />
      {defect !== undefined && (
        <p role="alert" className="sr-only">
          {defect.words}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="main" type="submit" disabled={isSaving}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
