export type ModelSelectProps = {
  readonly label: string
  readonly models: readonly string[]
  readonly value: string
  readonly disabled?: boolean
  readonly onChange: (id: string) => void
}

/** The models of one account. */
export function ModelSelect({ label, models, value, disabled = false, onChange }: ModelSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      className="h-9 min-w-0 max-w-60 rounded-lg border border-line-strong bg-raised px-2 outline-none focus:border-accent disabled:opacity-50 pointer-coarse:h-10"
    >
      {(models.includes(value) ? models : [value, ...models]).map((id) => (
        <option key={id}>{id}</option>
      ))}
    </select>
  )
}
