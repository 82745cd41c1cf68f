import { type KeyboardEvent, useRef } from "react"

export type SegmentsProps<T extends string> = {
  /** The accessible name of the group. */
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** A segmented control. One Tab stop; arrow keys move between the options, and Enter or Space chooses. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const group = useRef<HTMLDivElement>(null)
  const stop = Math.max(
    0,
    options.findIndex((option) => option.value === value),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const buttons = [...(group.current?.querySelectorAll("button") ?? [])]
    const at = buttons.indexOf(event.target as HTMLButtonElement)
    if (step === undefined || at === -1) return
    event.preventDefault()
    buttons[(at + step + buttons.length) % buttons.length]?.focus()
  }
  return (
    <div
      role="radiogroup"
      ref={group}
      aria-label={label}
      onKeyDown={onKeyDown}
      className="inline-flex rounded-lg bg-sunken p-0.5 text-sm"
    >
      {options.map((option, index) => {
        const isOn = option.value === value
        return (
          // biome-ignore lint/a11y/useSemanticElements: a button, because moving the focus does not choose.
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={isOn}
            data-state={isOn ? "on" : "off"}
            tabIndex={index === stop ? 0 : -1}
            onClick={() => isOn || onChange(option.value)}
            className="rounded-md px-2.5 py-1 pointer-coarse:min-h-10 text-muted transition-colors hover:text-ink data-[state=on]:bg-raised data-[state=on]:text-ink data-[state=on]:ring-1 data-[state=on]:ring-line-strong"
          >
            {option.label}
          </button>
        )
      })}
    </div>
  )
}
