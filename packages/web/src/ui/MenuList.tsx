import { Menu as Radix } from "radix-ui/internal"
import { type RefObject, useRef } from "react"
import { cx } from "./cx.ts"
import type { MenuItem } from "./menuItem.ts"
import { nameOf } from "./OpeningTrigger.tsx"
import { topLayer } from "./topLayer.ts"

export type MenuListProps = {
  readonly anchor: RefObject<HTMLElement | null>
  readonly items: readonly MenuItem[]
  readonly align: "start" | "center" | "end"
  readonly onClose: () => void
}

/** The open menu. */
export function MenuList({ anchor, items, align, onClose }: MenuListProps) {
  const isLeft = useRef(false)
  return (
    <Radix.Root modal={false} open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Radix.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Radix.Portal container={topLayer()}>
        <Radix.Content
          aria-label={nameOf(anchor.current)}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onInteractOutside={() => {
            isLeft.current = true
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // Whoever pressed elsewhere has chosen where the focus goes.
            if (!isLeft.current) anchor.current?.focus()
          }}
          className="z-50 min-w-44 animate-arrive rounded-xl border border-line bg-raised p-1 text-ink text-sm shadow-float"
        >
          {items.map((item, index) =>
            item === "line" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their index.
              <Radix.Separator key={index} className="-mx-1 my-1 h-px bg-line" />
            ) : (
              <Item key={item.label} item={item} />
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Item({ item }: { readonly item: Exclude<MenuItem, "line"> }) {
  const Icon = item.icon
  return (
    <Radix.Item
      disabled={item.disabled === true}
      onSelect={item.onChoose}
      className={cx(
        "flex select-none items-center gap-2.5 rounded-lg px-2.5 py-1.5 outline-none pointer-coarse:py-2.5",
        "data-highlighted:bg-line/60 data-disabled:opacity-40",
        item.bad === true && "text-bad",
      )}
    >
      {Icon && <Icon aria-hidden className={cx("size-4", item.bad !== true && "text-muted")} />}
      <span className="min-w-0 flex-1">
        {item.label}
        {item.about && <span className="block max-w-64 truncate text-muted text-xs">{item.about}</span>}
      </span>
      {item.keys !== undefined && <kbd className="pl-4 text-muted text-xs">{item.keys}</kbd>}
    </Radix.Item>
  )
}
