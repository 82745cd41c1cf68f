import type { LucideIcon } from "lucide-react"
import { DropdownMenu } from "radix-ui"
import { type ReactNode, useState } from "react"
import { cx } from "./cx.ts"
import { topLayer } from "./topLayer.ts"

export type MenuItem =
  | {
      readonly label: string
      readonly icon?: LucideIcon
      /** The shortcut to display. */
      readonly keys?: string
      readonly bad?: boolean
      readonly disabled?: boolean
      readonly onChoose: () => void
    }
  | "line"

export type MenuProps = {
  /** The trigger button. */
  readonly children: ReactNode
  readonly items: readonly MenuItem[]
  readonly align?: "start" | "center" | "end"
}

/** A menu. Supports arrow keys, letters and Escape, and restores the focus. */
export function Menu({ children, items, align = "end" }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={isOpen ? topLayer() : null}>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 animate-arrive rounded-xl border border-line bg-raised p-1 text-ink text-sm shadow-float"
        >
          {items.map((item, index) =>
            item === "line" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their index.
              <DropdownMenu.Separator key={index} className="-mx-1 my-1 h-px bg-line" />
            ) : (
              <Item key={item.label} item={item} />
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Item({ item }: { readonly item: Exclude<MenuItem, "line"> }) {
  const Icon = item.icon
  return (
    <DropdownMenu.Item
      disabled={item.disabled === true}
      onSelect={item.onChoose}
      className={cx(
        "flex select-none items-center gap-2.5 rounded-lg px-2.5 py-1.5 outline-none pointer-coarse:py-2.5",
        "data-highlighted:bg-line/60 data-disabled:opacity-40",
        item.bad === true && "text-bad",
      )}
    >
      {Icon && <Icon aria-hidden className={cx("size-4", item.bad !== true && "text-muted")} />}
      <span className="flex-1">{item.label}</span>
      {item.keys !== undefined && <kbd className="pl-4 text-muted text-xs">{item.keys}</kbd>}
    </DropdownMenu.Item>
  )
}
