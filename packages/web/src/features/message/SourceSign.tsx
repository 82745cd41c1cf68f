import { AlarmClock, Bot, CalendarClock, Clock, Code, Eye, Plug, Webhook } from "lucide-react"

const signs: Readonly<Record<string, typeof Clock>> = {
  person: Clock,
  api: Code,
  schedule: CalendarClock,
  webhook: Webhook,
  "mcp-event": Plug,
  agent: Bot,
  observation: Eye,
  self: AlarmClock,
}

/** The source of a message, as a labeled icon. */
export function SourceSign({ source, from }: { readonly source: string; readonly from: string }) {
  const Sign = signs[source] ?? Clock
  return (
    <span title={from} className="flex shrink-0 text-muted">
      <Sign role="img" aria-label={from} className="size-3.5" />
    </span>
  )
}
