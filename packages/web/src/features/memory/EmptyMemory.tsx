import { Brain } from "lucide-react"
import { Empty } from "../../ui/Empty.tsx"

/** The empty state: why it is empty, and how to add a memory. */
export function EmptyMemory({ query, agent }: { readonly query: string; readonly agent: string }) {
  if (query !== "") return <p className="mt-6 text-muted">No memory contains all these words: {query}</p>
  return (
    <Empty icon={Brain} title="No memories yet">
      <p>
        Agents remember what should last beyond one conversation: your preferences, your corrections, where things are.
        Tell {agent} “remember that I want metric units”, or press New to write one yourself.
      </p>
      <p className="mt-3">
        Every agent sees the one-line description of each memory and reads the rest when it needs it. Pin a memory to
        have it read every time. No one else can see memories about you.
      </p>
    </Empty>
  )
}
