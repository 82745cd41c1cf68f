import { useId } from "react"
import { t } from "../../texts/en/ask.ts"
import type { Entry, Field } from "./fields.ts"

export type FormFieldProps = {
  readonly field: Field
  readonly entry: Entry
  readonly wrong: boolean
  readonly onEnter: (entry: Entry) => void
}

const look = "mt-1 w-full rounded-lg border border-line-strong bg-raised px-3 py-1.5 aria-invalid:border-bad"

export function FormField({ field, entry, wrong, onEnter }: FormFieldProps) {
  const id = useId()
  const common = {
    id,
    "aria-describedby": field.hint === "" ? undefined : `${id}-hint`,
    "aria-invalid": wrong,
    "aria-required": field.required,
  }
  const hint = field.hint !== "" && (
    <p id={`${id}-hint`} className="mt-0.5 text-muted text-xs">
      {field.hint}
    </p>
  )
  if (field.kind === "yes-no")
    return (
      <div>
        <label htmlFor={id} className="inline-flex items-center gap-2 text-sm">
          <input
            {...common}
            type="checkbox"
            checked={entry === true}
            onChange={(event) => onEnter(event.target.checked)}
            className="size-4 accent-(--color-accent)"
          />
          {field.label}
        </label>
        {hint}
      </div>
    )
  return (
    <div>
      <label htmlFor={id} className="font-medium text-sm">
        {field.label} {!field.required && <span className="font-normal text-muted">{t("optional")}</span>}
      </label>
      {field.kind === "choice" ? (
        <select {...common} value={String(entry)} onChange={(event) => onEnter(event.target.value)} className={look}>
          <option value="">{t("choose")}</option>
          {field.options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          inputMode={field.kind === "text" ? "text" : "decimal"}
          autoComplete="off"
          value={String(entry)}
          onChange={(event) => onEnter(event.target.value)}
          className={look}
        />
      )}
      {hint}
    </div>
  )
}
