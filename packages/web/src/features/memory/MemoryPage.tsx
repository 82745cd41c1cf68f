import type { Parlor } from "@parlor/client"
import type { MemoryLine } from "@parlor/protocol"
import { Plus } from "lucide-react"
import { useRef, useState } from "react"
import { t } from "../../texts/en/memory.ts"
import { Button } from "../../ui/Button.tsx"
import { SearchBox } from "../../ui/Field.tsx"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { Refused } from "../list/Refused.tsx"
import { addressOf } from "../place/place.ts"
import { MemoryEditor } from "./MemoryEditor.tsx"
import { MemoryList } from "./MemoryList.tsx"
import { type Draft, draftOf, emptyDraft, keyOf } from "./memoryView.ts"
import { useMemories } from "./useMemories.ts"

export type MemoryPageProps = {
  readonly parlor: Parlor
  /** The conversation to go back to. */
  readonly agent: string
  readonly branch: string
  /** The memory to expand on arrival, by scope and name. */
  readonly opened?: string | undefined
  readonly onRefused: () => void
}

/** The memories: list, search, edit and delete (MEM-7). */
export function MemoryPage({ parlor, agent, branch, opened, onRefused }: MemoryPageProps) {
  const [query, setQuery] = useState("")
  const [open, setOpen] = useState<"new" | { readonly draft: Draft }>()
  const { items, note, reload, act } = useMemories(parlor, query, onRefused)
  /** The element that opened the editor gets the focus back. */
  const opener = useRef<Element | null>(null)
  const show = (next: typeof open) => {
    if (next !== undefined) opener.current = document.activeElement
    else if (opener.current instanceof HTMLElement) opener.current.focus()
    setOpen(next)
  }
  const read = async (line: MemoryLine) => draftOf(await parlor.memory.read(line.scope, line.name))
  const write = ({ scope, name, ...text }: Draft) => parlor.memory.write(scope, name, text)
  const save = async (draft: Draft) => {
    if (await act(() => write(draft))) show(undefined)
  }
  const edit = (line: MemoryLine) => act(async () => show({ draft: await read(line) }))
  const pin = (line: MemoryLine) => act(async () => write({ ...(await read(line)), pinned: !line.pinned }))
  return (
    <PageFrame
      title={t("memory")}
      back={{ href: addressOf(agent, branch), to: agent }}
      actions={
        <Button onClick={() => show("new")}>
          <Plus aria-hidden className="size-3.5" /> {t("new")}
        </Button>
      }
    >
      <SearchBox
        label={t("searchMemories")}
        placeholder={t("searchNamesDescriptionsAndText")}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <Refused note={note} onRetry={reload} />
      {open !== undefined && (
        <MemoryEditor
          key={open === "new" ? "new" : keyOf(open.draft)}
          draft={open === "new" ? emptyDraft : open.draft}
          isNew={open === "new"}
          onSave={save}
          onClose={() => show(undefined)}
        />
      )}
      <MemoryList
        memories={items}
        query={query}
        agent={agent}
        opened={opened}
        read={read}
        onEdit={edit}
        onPin={pin}
        onDelete={(line) => act(() => parlor.memory.delete(line.scope, line.name))}
      />
    </PageFrame>
  )
}
