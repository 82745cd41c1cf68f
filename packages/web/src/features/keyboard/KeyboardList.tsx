import { t } from "../../texts/en/keyboard.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Kbd } from "../../ui/Kbd.tsx"
import { groups, shortcutIds, shortcutOf, shortcutWords } from "./shortcuts.ts"
import { allKeysFor } from "./useShortcut.ts"

/** All shortcuts of the page. */
export default function KeyboardList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t("keyboard")} isOpen onClose={onClose}>
      <KeyTable />
    </Dialog>
  )
}

export function KeyTable() {
  return (
    <div className="gap-x-10 sm:columns-2">
      {groups.map((group) => (
        <section key={group} aria-label={t(group)} className="mb-5 break-inside-avoid">
          <h3 className="mb-1 font-semibold text-muted text-xs">{t(group)}</h3>
          <dl>
            {shortcutIds
              .filter((id) => shortcutOf(id).group === group && shortcutOf(id).keys.length > 0)
              .map((id) => (
                <div key={id} className="flex items-baseline gap-3 border-line border-b py-1.5 text-sm last:border-0">
                  <dt className="mr-auto">{shortcutWords(id)}</dt>
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
