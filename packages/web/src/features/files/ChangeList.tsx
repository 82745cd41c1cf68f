import type { FileChange } from "@parlor/protocol"
import { Button } from "../../ui/Button.tsx"
import { changeGroups, changeWords } from "./changeGroups.ts"
import { Diff } from "./Diff.tsx"

export type ChangeListProps = {
  readonly changes: readonly FileChange[]
  /** Paths that currently exist: those can be opened, the others restored. */
  readonly there?: ReadonlySet<string>
  readonly onOpen?: (path: string) => void
  readonly onPutBack?: (change: FileChange) => void
}

const NONE: ReadonlySet<string> = new Set()
/** Turns with more changes than this are collapsed. */
const UNFOLDED = 3

/** File changes, newest first, one section per turn. */
export function ChangeList({ changes, there = NONE, onOpen, onPutBack }: ChangeListProps) {
  return (
    <div className="space-y-6">
      {changeGroups(changes).map((group) => (
        <section key={group.changes[0]?.id ?? group.key} aria-label={group.label}>
          <h3 className="text-muted text-xs">
            {group.title} · {new Date(group.at).toLocaleString()}
          </h3>
          {group.changes.map((change) => (
            <details key={change.id} open={group.changes.length <= UNFOLDED} className="mt-2">
              <summary className="flex flex-wrap items-center gap-2 text-sm">
                <span className="min-w-0 break-words">
                  <span className="text-muted">{changeWords(change)}</span> {change.path}
                </span>
                {onOpen !== undefined && there.has(change.path) && (
                  <Button className="ml-auto" onClick={() => onOpen(change.path)}>
                    Open
                  </Button>
                )}
                {onPutBack !== undefined && change.after === null && !there.has(change.path) && (
                  <Button className="ml-auto" onClick={() => onPutBack(change)}>
                    Restore
                  </Button>
                )}
              </summary>
              <Diff diff={change.diff} />
            </details>
          ))}
        </section>
      ))}
    </div>
  )
}
