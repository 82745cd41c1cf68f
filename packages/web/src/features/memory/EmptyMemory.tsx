import { Brain } from "lucide-react"
import { Empty } from "../../ui/Empty.tsx"

/** Nothing is there: why, and how something comes to be. */
export function EmptyMemory({ query, agent }: { readonly query: string; readonly agent: string }) {
  if (query !== "") return <p className="mt-6 text-muted">Nothing remembered has all these words: {query}</p>
  return (
    <Empty icon={Brain} title="Nothing is remembered yet">
      <p>
        Agents keep what should last beyond one conversation: what you prefer, what you corrected, where things are.
        Tell {agent} “remember that I want metric units”, or write one yourself with New.
      </p>
      <p className="mt-3">
        Every agent is told the one-line description of each memory, and reads the rest when it needs it. Pin one to
        have it read each time. What is about you is seen by nobody else.
      </p>
    </Empty>
  )
}
