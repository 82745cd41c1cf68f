import { AgentFace } from "../agent/AgentFace.tsx"
import { timeOf } from "./days.ts"

/** The author: avatar and name, and the time on hover. */
export function AuthorLine({ name, at }: { readonly name: string; readonly at?: number }) {
  return (
    <header className="mb-1.5 flex items-center gap-2 text-sm">
      <AgentFace name={name} small />
      <span className="min-w-0 truncate font-semibold">{name}</span>
      {at !== undefined && <MessageTime at={at} />}
    </header>
  )
}

/** Visible on hover; screen readers get it in the message's label. */
export function MessageTime({ at }: { readonly at: number }) {
  return (
    <time
      aria-hidden
      dateTime={new Date(at).toISOString()}
      className="invisible shrink-0 px-1 text-muted text-xs group-focus-within/message:visible group-hover/message:visible"
    >
      {timeOf(at)}
    </time>
  )
}
