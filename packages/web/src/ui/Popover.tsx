import { type ReactNode, useRef, useState } from "react"
import { loaded, useLoaded } from "./loaded.ts"
import { OpeningTrigger } from "./OpeningTrigger.tsx"

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

const box = loaded(() => import("./PopoverBox.tsx").then(({ PopoverBox }) => PopoverBox))

/** A popover. Escape or a click outside closes it. */
export function Popover({ trigger, label, className, align = "end", isOpen, onOpenChange, children }: PopoverProps) {
  const [isOpenHere, setOpenHere] = useState(false)
  const anchor = useRef<HTMLElement>(null)
  const isShown = isOpen ?? isOpenHere
  const PopoverBox = useLoaded(box, isShown)
  const change = (next: boolean) => {
    setOpenHere(next)
    onOpenChange?.(next)
  }
  return (
    <>
      <OpeningTrigger opens="dialog" isOpen={isShown} onOpenChange={change} anchor={anchor}>
        {trigger}
      </OpeningTrigger>
      {isShown && PopoverBox && (
        <PopoverBox anchor={anchor} label={label} className={className} align={align} onClose={() => change(false)}>
          {children}
        </PopoverBox>
      )}
    </>
  )
}
