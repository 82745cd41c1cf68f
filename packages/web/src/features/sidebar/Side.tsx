import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { Microscope, PanelLeftClose, Search } from "lucide-react"
import { IconButton } from "../../ui/IconButton.tsx"
import { Mark } from "../../ui/Mark.tsx"
import { SideLink } from "../../ui/SideLink.tsx"
import { MemoryLink } from "../memory/MemoryLink.tsx"
import { PaletteButton } from "../palette/PaletteButton.tsx"
import { type Place, pageAddress } from "../place/place.ts"
import { Alert } from "../status/Alert.tsx"
import type { Tabs } from "../tab/useTabs.ts"
import { SettingsLink } from "../theme/SettingsLink.tsx"
import { TriggerLink } from "../trigger/TriggerLink.tsx"
import { AgentEntries } from "./AgentEntries.tsx"
import { MemoryUse } from "./MemoryUse.tsx"
import { TabList } from "./TabList.tsx"

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

/** The sidebar: tabs, agents and pages. */
export function Side({ parlor, agents, place, tabs, onHide, onChoose }: SideProps) {
  const { agent, branch, page } = place
  const chosen = onChoose === undefined ? {} : { onChoose }
  return (
    <nav aria-label="Agents" className="flex h-full min-h-0 flex-col">
      <div className="shrink-0 px-2.5">
        <p className="flex h-13 items-center gap-2.5 px-1.5 font-semibold tracking-tight">
          <Mark className="size-6" /> Parlor
          <span className="ml-auto flex items-center">
            <SettingsLink {...chosen} />
            {onHide && (
              <IconButton label="Hide sidebar" onClick={onHide}>
                <PanelLeftClose aria-hidden className="size-4" />
              </IconButton>
            )}
          </span>
        </p>
        <PaletteButton {...chosen} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2.5 py-2">
        <TabList tabs={tabs} onChoose={onChoose} />
        {tabs.refusal && <Alert note={tabs.refusal} className="mt-2" />}
        <h2 className="mt-4 mb-1 px-2 font-medium text-muted text-xs">Agents</h2>
        <AgentEntries parlor={parlor} agents={agents} current={agent} open={tabs.open} {...chosen} />
      </div>
      <div className="shrink-0 border-line border-t px-2.5 py-2">
        <MemoryLink agent={agent} current={page === "memory"} {...chosen} />
        <TriggerLink agent={agent} current={page === "triggers"} {...chosen} />
        <SideLink
          href={pageAddress("search", agent, branch)}
          icon={Search}
          label="Search"
          current={page === "search"}
          {...chosen}
        />
        <SideLink
          href={pageAddress("inspect", agent, branch)}
          icon={Microscope}
          label="Inspector"
          current={page === "inspect"}
          {...chosen}
        />
        <MemoryUse openTabs={tabs.open.length} />
      </div>
    </nav>
  )
}
