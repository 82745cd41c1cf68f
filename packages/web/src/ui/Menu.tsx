import { type ReactElement, type Ref, useRef, useState } from "react"
import { loaded, useLoaded } from "./loaded.ts"
import type { MenuItem } from "./menuItem.ts"
import { OpeningTrigger } from "./OpeningTrigger.tsx"

export type MenuProps = {
  /** The trigger button. */
  readonly children: ReactElement<{ readonly ref?: Ref<HTMLElement> }>
  readonly items: readonly MenuItem[]
  readonly align?: "start" | "center" | "end"
}

/** The list itself is loaded at the first sign of a person, so that it is there when they press the button. */
const list = loaded(() => import("./MenuList.tsx").then(({ MenuList }) => MenuList))

/** A menu. Supports arrow keys, letters and Escape, and restores the focus. */
export function Menu({ children, items, align = "end" }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const MenuList = useLoaded(list, isOpen)
  const trigger = useRef<HTMLElement>(null)
  return (
    <>
      <OpeningTrigger opens="menu" isOpen={isOpen} onOpenChange={setOpen} anchor={trigger}>
        {children}
      </OpeningTrigger>
      {isOpen && MenuList && <MenuList anchor={trigger} items={items} align={align} onClose={() => setOpen(false)} />}
    </>
  )
}
