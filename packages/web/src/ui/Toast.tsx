import { type LucideIcon, X } from "lucide-react"
import type { ReactNode } from "react"
import { t } from "../texts/en/ui.ts"
import { cx } from "./cx.ts"
import { IconButton } from "./IconButton.tsx"

/** The area for toasts, over the page. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <section
      aria-label={t("notifications")}
      className="pointer-events-none fixed top-15 right-3 z-40 flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2"
    >
      {children}
    </section>
  )
}

export type ToastProps = {
  readonly icon: LucideIcon
  readonly tone: "calm" | "warn" | "bad"
  readonly title: string
  readonly children?: ReactNode
  /** Action buttons or links. */
  readonly actions?: ReactNode
  readonly onDismiss: () => void
}

const tones = { calm: "text-accent", warn: "text-warn", bad: "text-bad" } as const

export function Toast({ icon: Icon, tone, title, children, actions, onDismiss }: ToastProps) {
  return (
    <div
      role="status"
      className="pointer-events-auto flex animate-arrive items-start gap-2.5 rounded-xl border border-line bg-raised p-3 text-sm shadow-float"
    >
      <Icon aria-hidden className={cx("mt-0.5 size-4 shrink-0", tones[tone])} />
      <div className="min-w-0 flex-1">
        <p className="break-words font-medium">{title}</p>
        {children !== undefined && <div className="line-clamp-2 break-words text-muted">{children}</div>}
        {actions !== undefined && <div className="mt-2 flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      <IconButton label={t("dismiss")} className="-m-1" onClick={onDismiss}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  )
}
