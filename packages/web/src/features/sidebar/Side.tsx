import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { PanelLeftClose } from "lucide-react"
import { lazy } from "react"
import { t } from "../../texts/en/sidebar.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Late } from "../../ui/Late.tsx"
import { Mark } from "../../ui/Mark.tsx"
import { AccountMenu } from "../account/AccountMenu.tsx"
import { MemoryLink } from "../memory/MemoryLink.tsx"
import { PaletteButton } from "../palette/PaletteButton.tsx"
import type { Place } from "../place/place.ts"
import { Alert } from "../status/Alert.tsx"
import { useFeed } from "../tab/DeskContext.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { SettingsLink } from "../theme/SettingsLink.tsx"
import { TriggerLink } from "../trigger/TriggerLink.tsx"
import { NewChat } from "./NewChat.tsx"
import { TabList } from "./TabList.tsx"

const SharedWithMe = lazy(() => import("../share/SharedWithMe.tsx").then((m) => ({ default: m.SharedWithMe })))

export type SideProps = {
  readonly parlor: Parlor
  readonly agents: readonly AgentView[]
  readonly place: Place
  readonly tabs: Tabs
  /** Hides the sidebar, on wide screens. */
  readonly onHide?: () => void
  /** Called when a link is followed. */
  readonly onChoose?: () => void
}

/** The sidebar: a new chat, search, the conversations, and the pages that belong to all of them. */
export function Side({ parlor, agents, place, tabs, onHide, onChoose }: SideProps) {
  const { agent, branch, page } = place
  const { rows } = useFeed()
  const chosen = onChoose === undefined ? {} : { onChoose }
  return (
    <nav aria-label={t("sidebar")} className="flex h-full min-h-0 flex-col">
      <div className="shrink-0 px-2.5">
        <p className="flex h-13 items-center gap-2.5 px-1.5 font-semibold tracking-tight">
          <Mark className="size-6" /> Parlor
          {onHide && (
            <IconButton label={t("hideSidebar")} className="ml-auto" onClick={onHide}>
              <PanelLeftClose aria-hidden className="size-4" />
            </IconButton>
          )}
        </p>
        <NewChat agents={agents} rows={rows} onChoose={onChoose} />
        <PaletteButton {...chosen} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 pb-2">
        <TabList tabs={tabs} defaultAgent={agents[0]?.name ?? ""} page={page} onChoose={onChoose} />
        <Late>
          <SharedWithMe
            parlor={parlor}
            agent={agent}
            branch={branch}
            front={page === "shared" ? place.detail : undefined}
            onChoose={onChoose}
          />
        </Late>
        {tabs.refusal && <Alert note={tabs.refusal} className="mt-2" />}
      </div>
      <div className="shrink-0 border-line border-t px-2.5 py-2">
        <MemoryLink agent={agent} branch={branch} current={page === "memory"} {...chosen} />
        <TriggerLink agent={agent} branch={branch} current={page === "triggers"} {...chosen} />
        <SettingsLink {...chosen} />
        <AccountMenu agent={agent} branch={branch} current={page === "account"} {...chosen} />
      </div>
    </nav>
  )
}
