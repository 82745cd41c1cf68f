import type { Parlor } from "@parlor/client"
import { Search } from "lucide-react"
import { useState } from "react"
import { Dialog } from "../../ui/Dialog.tsx"
import { noteOf, problemWords } from "../status/problemWords.ts"
import { HitView } from "./HitView.tsx"
import { useSearch } from "./useSearch.ts"

/** Search in all conversations and memories: a button, and what opens behind it (CPT-8). */
export function SearchDesk({ parlor }: { readonly parlor: Parlor }) {
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState("")
  const { hits, problem } = useSearch(parlor, isOpen ? query : "")
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex w-full items-center gap-2.5 rounded-lg px-2.5 py-2 text-left font-medium text-sm transition-colors hover:bg-line/50"
      >
        <span className="inline-flex size-8 shrink-0 items-center justify-center">
          <Search aria-hidden className="size-4.5 text-muted" />
        </span>
        Search
      </button>
      <Dialog title="Search" isOpen={isOpen} onClose={close}>
        <input
          type="text"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          aria-label="Search everything that was said"
          placeholder="Words from any conversation, or from memory"
          className="w-full rounded-lg border border-line-strong bg-raised px-3 py-2 outline-none focus:border-accent"
        />
        {problem !== undefined && (
          <p role="alert" className="mt-3">
            {problemWords(noteOf(problem)).title}
          </p>
        )}
        {hits?.length === 0 && <p className="mt-3 text-muted">Nothing was found. Fewer words find more.</p>}
        {hits === undefined && problem === undefined && (
          <p className="mt-3 text-muted text-sm">
            Finds messages, summaries and memories: yours, from every agent. Accents and capitals do not matter.
          </p>
        )}
        <ul className="mt-2" aria-label="Found">
          {hits?.map((hit) => (
            <HitView key={keyOf(hit)} hit={hit} onGo={close} />
          ))}
        </ul>
      </Dialog>
    </>
  )
}

function keyOf(hit: ReturnType<typeof useSearch>["hits"] extends readonly (infer H)[] | undefined ? H : never): string {
  if (hit.kind === "memory") return `${hit.scope}/${hit.name}`
  return hit.kind === "archive" ? hit.archive : hit.message
}
