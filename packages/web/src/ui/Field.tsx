import { type ComponentProps, type ReactNode, useId } from "react"
import { cx } from "./cx.ts"

const BOX =
  "w-full rounded-lg border border-line-strong bg-raised px-3 py-2 outline-none placeholder:text-muted focus:border-accent disabled:opacity-50"

/** A one-line field without a visible label: the label is for screen readers. */
export function SearchBox({ label, className, ...rest }: ComponentProps<"input"> & { readonly label: string }) {
  return <input type="search" aria-label={label} className={cx(BOX, className)} {...rest} />
}

export type FieldProps = {
  readonly label: string
  /** The field's error. */
  readonly problem?: string | undefined
  readonly hint?: ReactNode
  readonly children: (props: {
    readonly id: string
    readonly className: string
    readonly "aria-describedby": string
    readonly "aria-invalid": boolean
  }) => ReactNode
}

/** A labeled field with a hint and an error. */
export function Field({ label, problem, hint, children }: FieldProps) {
  const id = useId()
  const described = `${id}-about`
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        {label}
      </label>
      {children({ id, className: BOX, "aria-describedby": described, "aria-invalid": problem !== undefined })}
      <p id={described} className={cx("mt-1 text-xs", problem === undefined ? "text-muted" : "text-bad")}>
        {problem ?? hint}
      </p>
    </div>
  )
}
