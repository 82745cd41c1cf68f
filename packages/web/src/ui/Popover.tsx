import { Popover as Radix } from "radix-ui"
import { type ReactNode, useState } from "react"
import { cx } from "./cx.ts"
import { topLayer } from "./topLayer.ts"

export type PopoverProps = {
  /** The trigger button. */
  readonly trigger: ReactNode
  /** The accessible name. */
  readonly label: string
  readonly className?: string
  readonly align?: "start" | "center" | "end"
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** A popover. Escape or a click outside closes it. */
export function Popover({ trigger, label, className, align = "end", isOpen, onOpenChange, children }: PopoverProps) {
  const [isOpenHere, setOpenHere] = useState(false)
  const isShown = isOpen ?? isOpenHere
  const change = (next: boolean) => {
    setOpenHere(next)
    onOpenChange?.(next)
  }
  return (
    <Radix.Root open={isShown} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={isShown ? topLayer() : null}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={cx(
            "z-50 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] animate-arrive overflow-y-auto",
            "rounded-xl border border-line bg-raised p-3 text-ink text-sm shadow-float outline-none",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
