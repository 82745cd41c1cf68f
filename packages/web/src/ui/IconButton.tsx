import type { ComponentProps } from "react"
import { cx } from "./cx.ts"

const looks = {
  small: "size-7 rounded-md text-muted hover:bg-line/60 hover:text-ink pointer-coarse:size-10",
  main: "size-9 rounded-xl bg-accent text-on-accent hover:bg-accent-hover pointer-coarse:size-10",
  plain: "size-9 rounded-xl border border-line-strong text-ink hover:bg-sunken pointer-coarse:size-10",
  floating:
    "size-9 rounded-full border border-line bg-raised text-ink shadow-float hover:bg-sunken pointer-coarse:size-10",
} as const

type Props = Omit<ComponentProps<"button">, "aria-label" | "title"> & {
  readonly label: string
  /** The shortcut to display, from `keysFor`. */
  readonly keys?: string | undefined
  readonly look?: keyof typeof looks
}

/** An icon button. Its label is the accessible name and, with the shortcut, the tooltip. */
export function IconButton({ label, keys, look = "small", className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tip={label}
      data-tip-keys={keys}
      className={cx(
        "inline-flex shrink-0 items-center justify-center transition-colors disabled:cursor-default disabled:opacity-40",
        "aria-disabled:cursor-default aria-disabled:opacity-40",
        looks[look],
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
