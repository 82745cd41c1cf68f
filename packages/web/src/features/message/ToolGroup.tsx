import type { ToolPart } from "@parlor/protocol"
import { ChevronRight, CircleCheck } from "lucide-react"
import { type ReactNode, type SyntheticEvent, useContext, useState, useSyncExternalStore } from "react"
import { foldId, makeFolds } from "./folds.ts"
import { ReadingContext } from "./reading.ts"
import { groupTitle } from "./toolTitle.ts"

export type ToolGroupProps = {
  readonly message: string
  /** The index of the first call. */
  readonly from: number
  readonly parts: readonly ToolPart[]
  readonly children: ReactNode
}

/** Several tool calls in a row, as one line. Open while one of them is, so that Find can show it (TAB-35). */
export function ToolGroup({ message, from, parts, children }: ToolGroupProps) {
  const [own] = useState(makeFolds)
  const folds = useContext(ReadingContext)?.folds ?? own
  const id = `${message} group ${from}`
  const calls = parts.map((_, index) => foldId(message, from + index))
  const read = () => folds.isOpen(id) || calls.some(folds.isOpen)
  const isOpen = useSyncExternalStore(folds.subscribe, read, read)
  const onToggle = ({ currentTarget: { open } }: SyntheticEvent<HTMLDetailsElement>) => {
    if (open === read()) return
    folds.set(id, open)
    if (!open) for (const call of calls) folds.set(call, false)
  }
  return (
    <details open={isOpen} onToggle={onToggle} className="group/tools">
      <summary className="flex items-center gap-2.5 rounded-lg border border-line bg-raised px-3 py-2 text-sm hover:bg-sunken">
        <CircleCheck aria-hidden className="size-4 text-accent" />
        <span className="min-w-0 flex-1 truncate">{groupTitle(parts)}</span>
        <ChevronRight
          aria-hidden
          className="size-3.5 shrink-0 text-muted transition-transform group-open/tools:rotate-90"
        />
      </summary>
      {isOpen && <div className="mt-1.5 ml-3 space-y-1.5">{children}</div>}
    </details>
  )
}
