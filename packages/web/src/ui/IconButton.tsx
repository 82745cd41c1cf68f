import type { ComponentProps } from "react"
import { cx } from "./cx.ts"

const looks = {
  small: "size-7 rounded-md text-muted hover:bg-line/60 hover:text-ink",
  main: "size-9 rounded-xl bg-accent text-on-accent hover:bg-accent-hover",
  plain: "size-9 rounded-xl border border-line-strong text-ink hover:bg-sunken",
  floating: "size-9 rounded-full border border-line bg-raised text-ink shadow-float hover:bg-sunken",
} as const

type Props = Omit<ComponentProps<"button">, "aria-label" | "title"> & {
  readonly label: string
  readonly look?: keyof typeof looks
}

/** A button with a picture for a face: its label is what screen readers say and what hovering shows. */
export function IconButton({ label, look = "small", className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        "inline-flex shrink-0 items-center justify-center transition-colors disabled:cursor-default disabled:opacity-40",
        looks[look],
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
