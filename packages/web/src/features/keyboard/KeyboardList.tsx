import { Dialog } from "../../ui/Dialog.tsx"
import { Kbd } from "../../ui/Kbd.tsx"
import { groups, shortcutIds, shortcutOf } from "./shortcuts.ts"
import { allKeysFor } from "./useShortcut.ts"

/** All shortcuts of the page. */
export default function KeyboardList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose}>
      <KeyTable />
    </Dialog>
  )
}

export function KeyTable() {
  return (
    <div className="gap-x-10 sm:columns-2">
      {groups.map((group) => (
        <section key={group} aria-label={group} className="mb-5 break-inside-avoid">
          <h3 className="mb-1 font-semibold text-muted text-xs">{group}</h3>
          <dl>
            {shortcutIds
              .filter((id) => shortcutOf(id).group === group)
              .map((id) => (
                <div key={id} className="flex items-baseline gap-3 border-line border-b py-1.5 text-sm last:border-0">
                  <dt className="mr-auto">{shortcutOf(id).words}</dt>
                  <dd className="flex shrink-0 gap-1.5">
                    {allKeysFor(id).map((keys) => (
                      <Kbd key={keys}>{keys}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
