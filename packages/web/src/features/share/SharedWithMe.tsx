import type { Parlor } from "@parlor/client"
import type { SharedView } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { t } from "../../texts/en/sidebar.ts"
import { cx } from "../../ui/cx.ts"
import { onReturn } from "../../ui/onReturn.ts"
import { pageAddress } from "../place/place.ts"
import { useFeed } from "../tab/DeskContext.ts"

export type SharedWithMeProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  /** The share in front. */
  readonly front: string | undefined
  readonly onChoose?: (() => void) | undefined
}

/**
 * What others share with this person; nothing if nobody does. Read again when that changes, and when the person returns
 * to the page (SHR-14).
 */
export function SharedWithMe({ parlor, agent, branch, front, onChoose }: SharedWithMeProps) {
  const [shared, setShared] = useState<readonly SharedView[]>([])
  const { sharedAt } = useFeed()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read again when it has changed.
  useEffect(() => {
    let isHere = true
    const read = () =>
      void parlor.shares.withMe().then(
        (found) => isHere && setShared(found),
        () => undefined,
      )
    read()
    const leave = onReturn(read)
    return () => {
      isHere = false
      leave()
    }
  }, [parlor, sharedAt])
  if (shared.length === 0) return null
  return (
    <section aria-label={t("sharedWithMe")}>
      <h2 className="px-2 pt-4 pb-1 font-medium text-muted text-xs">{t("sharedWithMe")}</h2>
      <ul className="space-y-px">
        {shared.map(({ id, title, sharedBy }) => (
          <li key={id}>
            <a
              href={pageAddress("shared", agent, branch, id)}
              aria-current={id === front ? "page" : undefined}
              onClick={onChoose}
              className={cx(
                "block rounded-lg px-2 py-1.5 text-sm transition-colors hover:bg-line/50 pointer-coarse:py-2.5",
                id === front && "bg-line/70",
              )}
            >
              <span className="block truncate">{title || t("sharedConversation")}</span>
              {sharedBy !== null && <span className="block truncate text-muted text-xs">{sharedBy}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
