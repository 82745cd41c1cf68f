import type { Parlor } from "@parlor/client"
import type { MemoryLine } from "@parlor/protocol"
import { ArrowLeft, Plus } from "lucide-react"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { addressOf } from "../place/place.ts"
import { Alert } from "../status/Alert.tsx"
import { MemoryEditor } from "./MemoryEditor.tsx"
import { MemoryList } from "./MemoryList.tsx"
import { type Draft, draftOf, emptyDraft, keyOf } from "./memoryView.ts"
import { useMemories } from "./useMemories.ts"

export type MemoryPageProps = {
  readonly parlor: Parlor
  /** The agent one came from. */
  readonly from: string
  readonly onRefused: () => void
}

/** What is remembered: to see, to search, to edit, to delete (MEM-7). */
export function MemoryPage({ parlor, from, onRefused }: MemoryPageProps) {
  const [query, setQuery] = useState("")
  const [open, setOpen] = useState<"new" | { readonly draft: Draft }>()
  const { memories, note, reload, act } = useMemories(parlor, query, onRefused)
  const read = async (line: MemoryLine) => draftOf(await parlor.memory.read(line.scope, line.name))
  const write = ({ scope, name, ...text }: Draft) => parlor.memory.write(scope, name, text)
  const save = async (draft: Draft) => {
    if (await act(() => write(draft))) setOpen(undefined)
  }
  const edit = (line: MemoryLine) => act(async () => setOpen({ draft: await read(line) }))
  const pin = (line: MemoryLine) => act(async () => write({ ...(await read(line)), pinned: !line.pinned }))
  return (
    <main className="flex min-w-0 flex-1 flex-col">
      <header className="flex h-13 shrink-0 items-center gap-3 border-line border-b px-5 max-md:px-3">
        <a href={addressOf(from)} aria-label={`Back to ${from}`} className="rounded-md p-1.5 text-muted hover:text-ink">
          <ArrowLeft aria-hidden className="size-4" />
        </a>
        <h1 className="font-semibold">Memory</h1>
        <Button className="ml-auto" onClick={() => setOpen("new")}>
          <Plus aria-hidden className="size-3.5" /> New
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-read px-5 py-5 max-md:px-3">
          <input
            type="search"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            aria-label="Search memories"
            placeholder="Search names, descriptions and texts"
            className="w-full rounded-lg border border-line-strong bg-raised px-3 py-2 outline-none focus:border-accent"
          />
          {note !== undefined && (
            <div className="mt-3 flex items-start gap-2">
              <Alert note={note} className="flex-1" />
              <Button onClick={reload}>Try again</Button>
            </div>
          )}
          {open !== undefined && (
            <MemoryEditor
              key={open === "new" ? "new" : keyOf(open.draft)}
              draft={open === "new" ? emptyDraft : open.draft}
              isNew={open === "new"}
              onSave={save}
              onClose={() => setOpen(undefined)}
            />
          )}
          <MemoryList
            memories={memories}
            query={query}
            agent={from}
            read={read}
            onEdit={edit}
            onPin={pin}
            onDelete={(line) => act(() => parlor.memory.delete(line.scope, line.name))}
          />
        </div>
      </div>
    </main>
  )
}
