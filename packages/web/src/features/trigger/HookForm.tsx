import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { FormFrame } from "./FormFrame.tsx"

export type HookFormProps = {
  readonly agent: string
  /** Resolves to whether it was accepted. */
  readonly onMake: (hook: { readonly template: string; readonly style: "standard" | "github" }) => Promise<boolean>
  readonly onClose: () => void
}

export function HookForm({ agent, onMake, onClose }: HookFormProps) {
  const [template, setTemplate] = useState("")
  const [style, setStyle] = useState<"standard" | "github">("standard")
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (template.trim() !== "" && (await onMake({ template, style }))) onClose()
  }
  return (
    <FormFrame label="New webhook" onSubmit={submit}>
      <Field label={`Message for ${agent}`}>
        {(props) => (
          <textarea
            {...props}
            name="template"
            rows={2}
            value={template}
            placeholder="The build of {{body.branch}} says {{body.status}}."
            onChange={({ target }) => setTemplate(target.value)}
          />
        )}
      </Field>
      <Field label="Signature">
        {(props) => (
          <select
            {...props}
            name="style"
            value={style}
            onChange={({ target }) => setStyle(target.value as "standard" | "github")}
          >
            <option value="standard">Standard Webhooks</option>
            <option value="github">GitHub</option>
          </select>
        )}
      </Field>
      <div className="flex gap-2">
        <Button look="main" type="submit" disabled={template.trim() === ""}>
          Create
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </FormFrame>
  )
}
