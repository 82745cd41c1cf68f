import type { MemoryLine } from "@parlor/protocol"
import { t as common } from "../../texts/en/common.ts"
import { EmptyMemory } from "./EmptyMemory.tsx"
import { MemoryItem } from "./MemoryItem.tsx"
import { type Draft, groupsOf, keyOf } from "./memoryView.ts"

export type MemoryListProps = {
  readonly memories: readonly MemoryLine[] | undefined
  readonly query: string
  readonly agent: string
  /** The memory to expand at once. */
  readonly opened?: string | undefined
  readonly read: (line: MemoryLine) => Promise<Draft>
  readonly onEdit: (line: MemoryLine) => void
  readonly onPin: (line: MemoryLine) => void
  readonly onDelete: (line: MemoryLine) => void
}

export function MemoryList({ memories, query, agent, opened, ...acts }: MemoryListProps) {
  if (memories === undefined) return <p className="mt-6 animate-late text-muted text-sm">{common("loading")}</p>
  if (memories.length === 0) return <EmptyMemory query={query.trim()} agent={agent} />
  return groupsOf(memories).map(({ scope, title, memories }) => (
    <section key={scope} aria-label={title} className="mt-6">
      <h2 className="font-semibold text-muted text-sm">{title}</h2>
      <ul className="mt-2 space-y-2">
        {memories.map((memory) => (
          <MemoryItem
            key={`${keyOf(memory)} ${memory.updatedAt}`}
            memory={memory}
            isOpened={keyOf(memory) === opened}
            {...acts}
          />
        ))}
      </ul>
    </section>
  ))
}
