import type { FileChange } from "@parlor/protocol"
import { changeGroups, changeWords } from "./changeGroups.ts"
import { Diff } from "./Diff.tsx"

/** What was changed, newest first, a section for each turn. */
export function ChangeList({ changes }: { readonly changes: readonly FileChange[] }) {
  if (changes.length === 0) return <p className="text-muted text-sm">Nothing was changed yet.</p>
  return (
    <div className="space-y-6">
      {changeGroups(changes).map((group) => (
        <section key={group.key} aria-label={`Changes by ${group.title}`}>
          <h3 className="text-muted text-xs">
            {group.title} · {new Date(group.at).toLocaleString()}
          </h3>
          {group.changes.map((change) => (
            <details key={change.id} open={group.changes.length <= 3} className="mt-2">
              <summary className="text-sm">
                <span className="text-muted">{changeWords(change)}</span> {change.path}
              </summary>
              <Diff diff={change.diff} />
            </details>
          ))}
        </section>
      ))}
    </div>
  )
}
