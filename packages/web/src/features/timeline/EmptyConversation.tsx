import { Button } from "../../ui/Button.tsx"
import { AgentFace } from "../agent/AgentFace.tsx"

const examples = ["What can you do?", "Show me markdown", "Count slowly to 50", "What time is it?"] as const

export type EmptyConversationProps = {
  readonly agent: string
  readonly description: string | undefined
  readonly onPick: (text: string) => void
}

/** The first thing one sees: who this is, what to try, and what will not be obvious. */
export function EmptyConversation({ agent, description, onPick }: EmptyConversationProps) {
  return (
    <section aria-label="Begin" className="my-auto animate-arrive py-10">
      <AgentFace name={agent} />
      <h2 className="mt-4 font-semibold text-xl tracking-tight">Talk with {agent}</h2>
      <p className="mt-1.5 max-w-prose text-muted">
        {description === undefined || description === "" ? "" : `${description.replace(/(?<![.!?…])$/, ".")} `}
        Everything said here is kept: close the page, lose the connection or open it on your phone, and it goes on.
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        {examples.map((text) => (
          <Button key={text} look="pill" onClick={() => onPick(text)}>
            {text}
          </Button>
        ))}
      </div>
      <p className="mt-6 max-w-prose text-muted text-sm">
        While {agent} is writing you can go on: what you send waits in a queue, and Stop keeps what was written so far.
      </p>
    </section>
  )
}
