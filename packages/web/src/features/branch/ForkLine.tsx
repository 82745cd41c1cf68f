import { GitBranch } from "lucide-react"
import { t } from "../../texts/en/branch.ts"
import type { Fork } from "./fork.ts"

/** The line below the messages a branch inherits from its parent. */
export function ForkLine({ fork }: { readonly fork: Fork }) {
  return (
    <section
      aria-label={t("branchedFromFromHere", { from: fork.from })}
      className="mt-6 flex items-center gap-3 text-muted text-xs"
    >
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
      <p className="flex min-w-0 items-center gap-1">
        <GitBranch aria-hidden className="mr-0.5 size-3.5 shrink-0" />
        <span className="shrink-0">{t("branchedFrom")}</span>
        <a
          href={fork.href}
          title={t("showThisMessageInThe")}
          className="min-w-0 truncate underline decoration-line-strong underline-offset-2 hover:text-ink pointer-coarse:py-3"
        >
          {fork.from}
        </a>
        <span className="shrink-0">{t("here")}</span>
      </p>
      <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
    </section>
  )
}
