import { PanelLeftOpen } from "lucide-react"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { AgentFace } from "../agent/AgentFace.tsx"
import { addressOf } from "../place/place.ts"
import { capsulesOf } from "../tab/capsules.ts"
import { titleOf } from "../tab/tabList.ts"
import { tabLabel } from "../tab/tabWords.ts"
import type { Tabs } from "../tab/useTabs.ts"

const MOST = 14

/** The collapsed sidebar: the avatars of the first tabs, with a dot for activity. */
export function Rail({ tabs, onShow }: { readonly tabs: Tabs; readonly onShow: () => void }) {
  return (
    <nav aria-label="Tabs" className="flex h-full flex-col items-center gap-2 py-3">
      <IconButton label="Show sidebar" onClick={onShow}>
        <PanelLeftOpen aria-hidden className="size-4" />
      </IconButton>
      <ul className="flex min-h-0 flex-col gap-1.5 overflow-y-auto px-1 py-1">
        {tabs.open.slice(0, MOST).map((tab) => {
          const isFront = tab.key === tabs.front
          const capsules = tab.row === undefined ? [] : capsulesOf(tab.row, isFront)
          return (
            <li key={tab.key}>
              <a
                href={addressOf(tab.agent, tab.branch)}
                aria-current={isFront ? "page" : undefined}
                aria-label={tabLabel(tab, capsules)}
                title={titleOf(tab)}
                className={cx("relative block rounded-lg p-1", isFront ? "bg-line" : "hover:bg-line/50")}
              >
                <AgentFace name={tab.agent} small />
                {capsules.length > 0 && (
                  <span
                    data-dot
                    className={cx(
                      "absolute top-0 right-0 size-2 rounded-full",
                      capsules[0]?.kind === "needs-you"
                        ? "bg-warn"
                        : capsules[0]?.kind === "failed"
                          ? "bg-bad"
                          : "bg-accent",
                    )}
                  />
                )}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
