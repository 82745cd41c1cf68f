import { Switch as Radix } from "radix-ui"
import { type ReactNode, useId } from "react"

export type SwitchProps = {
  readonly label: string
  readonly hint?: ReactNode
  readonly isOn: boolean
  readonly disabled?: boolean
  readonly onChange: (isOn: boolean) => void
}

/** A switch that applies immediately. */
export function Switch({ label, hint, isOn, disabled = false, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <label htmlFor={id} className="min-w-0 flex-1">
        <span className="font-medium">{label}</span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-muted text-xs">
            {hint}
          </span>
        )}
      </label>
      <Radix.Root
        id={id}
        checked={isOn}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="relative mt-0.5 h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors after:absolute after:-inset-2.5 disabled:opacity-40 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 translate-x-px rounded-full bg-muted transition-transform data-[state=checked]:translate-x-[1.06rem] data-[state=checked]:bg-on-accent" />
      </Radix.Root>
    </div>
  )
}
