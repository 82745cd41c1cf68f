import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { type Draft, draftDefect, TYPES } from "./memoryView.ts"

export type MemoryEditorProps = {
  readonly draft: Draft
  readonly isNew: boolean
  /** Resolves when it is known what became of it. The editor stays as it is until it is closed. */
  readonly onSave: (draft: Draft) => Promise<void>
  readonly onClose: () => void
}

const look = "mt-1 w-full rounded-lg border border-line-strong bg-raised px-3 py-1.5 aria-invalid:border-bad"

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
    "aria-invalid": defect?.field === name,
    className: look,
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  })
  return (
    <form
      ref={form}
      aria-label={isNew ? "New memory" : `Edit ${given.name}`}
      onSubmit={submit}
      className="mt-4 animate-arrive space-y-3 rounded-xl border border-line bg-sunken p-4 text-sm"
    >
      {isNew && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Labelled label="Name">
            <input {...field("name")} value={draft.name} placeholder="metric-units" autoComplete="off" />
          </Labelled>
          <Labelled label="Whose">
            <select {...field("scope")} value={draft.scope}>
              <option value="user">Mine, for all agents</option>
              <option value="project">The project’s, for everyone</option>
            </select>
          </Labelled>
        </div>
      )}
      <Labelled label="Description" hint="One line. Every turn begins with it.">
        <input {...field("description")} value={draft.description} autoComplete="off" />
      </Labelled>
      <Labelled label="Type">
        <input {...field("type")} value={draft.type} list={types} autoComplete="off" />
        <datalist id={types}>
          {TYPES.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </Labelled>
      <Labelled label="Text" hint="Markdown. Read when an agent needs it.">
        <textarea {...field("body")} value={draft.body} rows={6} />
      </Labelled>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={draft.pinned}
          onChange={(event) => change({ pinned: event.target.checked })}
          className="size-4 accent-(--color-accent)"
        />
        Pinned: its text is read in every turn
      </label>
      {defect !== undefined && (
        <p role="alert" className="text-bad">
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

function Labelled({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className="block">
      <span className="font-medium">{label}</span> {hint !== undefined && <span className="text-muted">{hint}</span>}
      {children}
    </label>
  )
}
