import { ArrowLeft } from "lucide-react"
import type { ReactNode } from "react"
import { t } from "../texts/en/ui.ts"
import { useFrame } from "./FrameContext.ts"

export type PageFrameProps = {
  readonly title: string
  /** The link back, and its label. */
  readonly back: { readonly href: string; readonly to: string }
  readonly actions?: ReactNode
  /** Full width, for trees and timelines; otherwise reading width. */
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A page instead of the conversation: title, back link and content. */
export function PageFrame({ title, back, actions, wide = false, children }: PageFrameProps) {
  const { leading, title: conversation } = useFrame()
  return (
    <main className="flex min-w-0 flex-1 flex-col">
      <header className="flex h-13 shrink-0 items-center gap-2 border-line border-b px-4 max-md:px-2">
        {leading}
        <a
          href={back.href}
          aria-label={t("backTo", { place: conversation ?? back.to })}
          className="flex min-w-0 items-center gap-1.5 rounded-md p-1.5 text-muted text-sm hover:text-ink pointer-coarse:min-h-10 max-md:shrink-0"
        >
          <ArrowLeft aria-hidden className="size-4 shrink-0" />
          <span className="max-w-64 truncate max-md:hidden">{conversation ?? back.to}</span>
        </a>
        <span aria-hidden className="text-line-strong max-md:hidden">
          /
        </span>
        <h1 className="min-w-0 truncate font-semibold">{title}</h1>
        <div className="ml-auto flex items-center gap-2">{actions}</div>
      </header>
      {wide ? (
        <div className="flex min-h-0 flex-1 flex-col">{children}</div>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto w-full max-w-read px-5 py-5 max-md:px-3">{children}</div>
        </div>
      )}
    </main>
  )
}
