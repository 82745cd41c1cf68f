import { Popover as Radix } from "radix-ui"
import { type ReactNode, type RefObject, useRef } from "react"
import { cx } from "./cx.ts"
import { topLayer } from "./topLayer.ts"

export type PopoverBoxProps = {
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: string
  readonly className: string | undefined
  readonly align: "start" | "center" | "end"
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The open popover. */
export function PopoverBox({ anchor, label, className, align, onClose, children }: PopoverBoxProps) {
  const isLeft = useRef(false)
  return (
    <Radix.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Radix.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Radix.Portal container={topLayer()}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onInteractOutside={() => {
            isLeft.current = true
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!isLeft.current) anchor.current?.focus()
          }}
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
