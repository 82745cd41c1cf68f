import { Check, CircleAlert, Hand, ListOrdered, Pause } from "lucide-react"
import { t } from "../../texts/en/sidebar.ts"
import { cx } from "../../ui/cx.ts"
import { type Capsule, capsuleWords } from "../tab/capsules.ts"

const looks: Readonly<Record<Capsule["kind"], string>> = {
  "needs-you": "bg-warn-tint text-warn",
  failed: "bg-bad-tint text-bad",
  running: "text-accent",
  queued: "bg-line/60 text-muted",
  done: "text-accent",
  unread: "text-accent",
}

/** The state of a tab that is not in front (TAB-6). Its label tells screen readers the same. */
export function Capsules({ capsules }: { readonly capsules: readonly Capsule[] }) {
  return (
    <span aria-hidden="true" className="flex shrink-0 items-center gap-1">
      {capsules.map((capsule) => (
        <span
          key={capsule.kind}
          data-capsule={capsule.kind}
          title={capsuleWords(capsule)}
          className={cx(
            "inline-flex h-4.5 items-center gap-1 rounded-full px-1.5 font-medium text-[0.6875rem] leading-none",
            looks[capsule.kind],
          )}
        >
          <Sign capsule={capsule} />
        </span>
      ))}
    </span>
  )
}

function Sign({ capsule }: { readonly capsule: Capsule }) {
  switch (capsule.kind) {
    case "needs-you":
      return (
        <>
          <Hand className="size-3" /> {t("needsYou")}
        </>
      )
    case "failed":
      return (
        <>
          <CircleAlert className="size-3" /> {t("failed")}
        </>
      )
    case "running":
      return <span data-dot className="size-1.5 animate-breathe rounded-full bg-accent" />
    case "queued": {
      const Icon = capsule.held ? Pause : ListOrdered
      return (
        <>
          <Icon className="size-3" /> {capsule.count}
        </>
      )
    }
    case "done":
      return <Check className="size-3.5" />
    case "unread":
      return <span data-dot className="size-2 rounded-full bg-accent" />
  }
}
