import { Tooltip as Radix } from "radix-ui"
import type { ReactNode } from "react"

const SLOW_MS = 500

/** Around the page, once. */
export function Tooltips({ children }: { readonly children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={SLOW_MS} disableHoverableContent>
      {children}
    </Radix.Provider>
  )
}

export type TooltipProps = { readonly says: string; readonly keys?: string | undefined; readonly children: ReactNode }

/** A few words about what it stands on, on hover and on focus. It never says what only it says. */
export function Tooltip({ says, keys, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-lg bg-ink px-2.5 py-1.5 text-page text-xs shadow-float"
        >
          {says}
          {keys !== undefined && <kbd className="ml-2 opacity-70">{keys}</kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
