import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { type ReactNode, useCallback, useMemo, useState } from "react"
import { t } from "../../texts/en/sidebar.ts"
import { FrameContext } from "../../ui/FrameContext.ts"
import { PaneBoundary } from "../../ui/PaneBoundary.tsx"
import { useMedia } from "../../ui/useMedia.ts"
import { browserKeep } from "../keep/keep.ts"
import type { Place } from "../place/place.ts"
import { titleOf, untitled } from "../tab/tabList.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { Drawer } from "./Drawer.tsx"
import { Rail } from "./Rail.tsx"
import { Side } from "./Side.tsx"
import { SideButton } from "./SideButton.tsx"
import { SideContext } from "./SideContext.ts"
import { UndoBar } from "./UndoBar.tsx"

const KEPT_AS = "parlor.side"

export type SidePlaceProps = {
  readonly parlor: Parlor
  readonly agents: readonly AgentView[]
  readonly place: Place
  readonly tabs: Tabs
  /** What is in front. */
  readonly children: ReactNode
}

/** The sidebar and the page: full, collapsed to a rail, or a drawer on narrow screens. */
export function SidePlace({ parlor, agents, place, tabs, children }: SidePlaceProps) {
  const isNarrow = useMedia("(max-width: 47.99rem)")
  const [isHidden, setHidden] = useState(() => browserKeep.read(KEPT_AS) === "hidden")
  const [isDrawn, setDrawn] = useState(false)
  const hide = (next: boolean) => {
    setHidden(next)
    browserKeep.write(KEPT_AS, next ? "hidden" : undefined)
  }
  const openDrawer = useCallback(() => setDrawn(true), [])
  const close = useCallback(() => setDrawn(false), [])
  const context = useMemo(() => ({ openDrawer, acts: tabs }), [openDrawer, tabs])
  const parts = { parlor, agents, place, tabs }
  const inFront = [...tabs.open, ...tabs.archived].find(({ key }) => key === tabs.front)
  const title = inFront === undefined ? untitled() : titleOf(inFront)
  const frame = useMemo(() => ({ leading: <SideButton />, title }), [title])
  return (
    <SideContext value={context}>
      <div className="flex h-dvh">
        {!isNarrow && (
          <div className={`${isHidden ? "w-12" : "w-64"} shrink-0 border-line border-r bg-side`}>
            <PaneBoundary name={t("theSidebar")} subject={isHidden}>
              {isHidden ? (
                <Rail agents={agents} tabs={tabs} onShow={() => hide(false)} />
              ) : (
                <Side {...parts} onHide={() => hide(true)} />
              )}
            </PaneBoundary>
          </div>
        )}
        {isNarrow && (
          <Drawer isOpen={isDrawn} onClose={close}>
            <PaneBoundary name={t("theSidebar")} subject={isDrawn}>
              <Side {...parts} onChoose={close} />
            </PaneBoundary>
          </Drawer>
        )}
        <FrameContext value={frame}>{children}</FrameContext>
      </div>
      <UndoBar tabs={tabs} />
    </SideContext>
  )
}
