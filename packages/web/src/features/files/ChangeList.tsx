import type { FileChange } from "@parlor/protocol"
import { t } from "../../texts/en/files.ts"
import { momentText } from "../../texts/format.ts"
import { rich } from "../../texts/rich.ts"
import { Button } from "../../ui/Button.tsx"
import { changeGroups, changeKind } from "./changeGroups.ts"
import { Diff } from "./Diff.tsx"

export type ChangeListProps = {
  readonly changes: readonly FileChange[]
  /** Paths that currently exist: those can be opened, the others restored. */
  readonly there?: ReadonlySet<string>
  readonly onOpen?: (path: string) => void
  readonly onPutBack?: (change: FileChange) => void
}

const NONE: ReadonlySet<string> = new Set()
const inList = { created: "createdPath", changed: "changedPath", deleted: "deletedPath" } as const
/** Turns with more changes than this are collapsed. */
const UNFOLDED = 3

/** File changes, newest first, one section per turn. */
export function ChangeList({ changes, there = NONE, onOpen, onPutBack }: ChangeListProps) {
  return (
    <div className="space-y-6">
      {changeGroups(changes).map((group) => (
        <section key={group.changes[0]?.id ?? group.key} aria-label={group.label}>
          <h3 className="text-muted text-xs">
            {group.title} · {momentText(group.at)}
          </h3>
          {group.changes.map((change) => (
            // The buttons are beside the summary, not in it: a control inside a control has no role for screen readers.
            <div key={change.id} className="relative mt-2">
              <details open={group.changes.length <= UNFOLDED}>
                <summary className="min-h-8 break-words py-1 pr-24 text-sm">
                  <span className="text-muted">
                    {rich(
                      t.pieces(inList[changeKind(change)], { path: <span className="text-ink">{change.path}</span> }),
                    )}
                  </span>
                </summary>
                <Diff diff={change.diff} />
              </details>
              <div className="absolute top-0 right-0">
                {onOpen !== undefined && there.has(change.path) && (
                  <Button onClick={() => onOpen(change.path)}>{t("open")}</Button>
                )}
                {onPutBack !== undefined && change.after === null && !there.has(change.path) && (
                  <Button onClick={() => onPutBack(change)}>{t("restore")}</Button>
                )}
              </div>
            </div>
          ))}
        </section>
      ))}
    </div>
  )
}
