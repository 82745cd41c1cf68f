/** Nothing is there: why, and how something comes to be. */
export function EmptyMemory({ query, agent }: { readonly query: string; readonly agent: string }) {
  if (query !== "") return <p className="mt-6 text-muted">Nothing remembered has all these words: {query}</p>
  return (
    <section aria-label="Nothing remembered" className="mt-6 max-w-prose animate-arrive text-muted">
      <h2 className="font-semibold text-ink">Nothing is remembered yet</h2>
      <p className="mt-1.5">
        Agents keep what should last beyond one conversation: what you prefer, what you corrected, where things are.
        Tell {agent} “remember that I want metric units”, or write one yourself with New.
      </p>
      <p className="mt-3 text-sm">
        Every agent is told the one-line description of each memory, and reads the rest when it needs it. Pin one to
        have it read each time. What is about you is seen by nobody else.
      </p>
    </section>
  )
}
