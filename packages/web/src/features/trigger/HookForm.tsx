import { type FormEvent, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/trigger.ts"
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
    <FormFrame label={t("newWebhook")} onSubmit={submit}>
      <Field label={t("messageFor", { agent })}>
        {(props) => (
          <textarea
            {...props}
            name="template"
            rows={2}
            value={template}
            placeholder={t("templateExample", { branch: "{{body.branch}}", status: "{{body.status}}" })}
            onChange={({ target }) => setTemplate(target.value)}
          />
        )}
      </Field>
      <Field label={t("signature")}>
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
          {t("create")}
        </Button>
        <Button onClick={onClose}>{common("cancel")}</Button>
      </div>
    </FormFrame>
  )
}
