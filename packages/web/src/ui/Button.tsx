import type { ComponentProps } from "react"
import { cx } from "./cx.ts"

const looks = {
  main: "rounded-lg bg-accent px-4 font-medium text-on-accent hover:bg-accent-hover",
  quiet: "rounded-lg border border-line bg-raised px-3 text-ink hover:border-line-strong",
  /** For destructive actions. */
  bad: "rounded-lg border border-bad bg-raised px-3 text-bad hover:bg-sunken",
  pill: "rounded-full border border-line bg-raised px-3.5 text-ink hover:border-line-strong hover:bg-sunken",
} as const

type Props = ComponentProps<"button"> & { readonly look?: keyof typeof looks }

export function Button({ look = "quiet", className, ...rest }: Props) {
  return (
    <button
      type="button"
      className={cx(
        "inline-flex items-center justify-center gap-1.5 py-1.5 text-sm transition-colors pointer-coarse:min-h-10",
        "disabled:cursor-default disabled:opacity-40",
        looks[look],
        className,
      )}
      {...rest}
    />
  )
}
