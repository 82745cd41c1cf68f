import type { ToolPart } from "@parlor/protocol"
import { ChevronRight, CircleAlert, CircleCheck, CircleHelp, Hourglass, LoaderCircle } from "lucide-react"
import { cx } from "../../ui/cx.ts"
import { glimpse, readable, toolWords } from "./messageView.ts"

const signs = {
  waiting: <Hourglass aria-hidden className="size-4 text-muted" />,
  started: <LoaderCircle aria-hidden className="size-4 animate-spin-slow text-accent" />,
  done: <CircleCheck aria-hidden className="size-4 text-accent" />,
  failed: <CircleAlert aria-hidden className="size-4 text-bad" />,
  unknown: <CircleHelp aria-hidden className="size-4 text-warn" />,
} as const

/** A tool call: quiet by default, its input and output on demand. */
export function ToolCard({ part }: { readonly part: ToolPart }) {
  const loud = part.state === "failed" || part.state === "unknown"
  return (
    <details className="group/tool overflow-hidden rounded-lg border border-line bg-raised text-sm">
      <summary className="flex items-center gap-2.5 px-3 py-2 hover:bg-sunken">
        {signs[part.state]}
        <span className="shrink-0 font-medium font-mono text-[0.8125rem]">{part.name}</span>
        <span className="min-w-0 flex-1 truncate text-muted">{glimpse(part.input)}</span>
        <span className={cx("shrink-0 text-xs", loud ? "text-bad" : "text-muted")}>{toolWords(part.state)}</span>
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-muted transition-transform group-open/tool:rotate-90"
        />
      </summary>
      <div className="space-y-2 border-line border-t px-3 py-2.5">
        <Field name="Input" value={readable(part.input)} />
        {part.output !== null && <Field name="Output" value={readable(part.output)} />}
        {part.error !== null && <Field name="Error" value={part.error.detail} bad />}
      </div>
    </details>
  )
}

function Field({ name, value, bad }: { readonly name: string; readonly value: string; readonly bad?: boolean }) {
  return (
    <div>
      <p className="text-muted text-xs">{name}</p>
      <pre
        className={cx(
          "mt-0.5 max-h-72 overflow-auto whitespace-pre-wrap break-words font-mono text-[0.8125rem] leading-5",
          bad === true && "text-bad",
        )}
      >
        {value}
      </pre>
    </div>
  )
}
