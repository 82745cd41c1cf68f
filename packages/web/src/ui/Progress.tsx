import { cx } from "./cx.ts"

export type ProgressProps = {
  readonly label: string
  /** From 0 to 100. */
  readonly percent: number
  readonly className?: string
}

/** A thin progress bar with a value for screen readers. */
export function Progress({ label, percent, className }: ProgressProps) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={cx("block h-1 overflow-hidden rounded-full bg-line", className)}
    >
      <span style={{ width: `${percent}%` }} className="block h-full bg-accent transition-[width] duration-200" />
    </span>
  )
}

/** A share from 0 to 1 in whole percent; 100 only when complete. */
export function percentOf(share: number): number {
  return Math.floor(Math.min(Math.max(share, 0), 1) * 100)
}
