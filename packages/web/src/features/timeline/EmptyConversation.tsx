import { Button } from "../../ui/Button.tsx"
import { AgentFace } from "../agent/AgentFace.tsx"

const examples = ["What can you do?", "Show me markdown", "Count slowly to 50", "What time is it?"] as const

export type EmptyConversationProps = {
  readonly agent: string
  readonly description: string | undefined
  readonly onPick: (text: string) => void
}

/** The empty state: the agent, examples to try, and a short introduction. */
export function EmptyConversation({ agent, description, onPick }: EmptyConversationProps) {
  return (
    <section aria-label="Get started" className="my-auto animate-arrive py-10">
      <AgentFace name={agent} />
      <h2 className="mt-4 font-semibold text-xl tracking-tight">Chat with {agent}</h2>
      <p className="mt-1.5 max-w-prose text-muted">
        {description === undefined || description === "" ? "" : `${description.replace(/(?<![.!?…])$/, ".")} `}
        Everything here is saved: close the page, lose the connection or open it on your phone, and it continues.
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        {examples.map((text) => (
          <Button key={text} look="pill" onClick={() => onPick(text)}>
            {text}
          </Button>
        ))}
      </div>
      <p className="mt-6 max-w-prose text-muted text-sm">
        While {agent} is replying, you can keep writing: your messages wait in a queue, and Stop keeps the reply so far.
      </p>
    </section>
  )
}
