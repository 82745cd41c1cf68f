import { type AgentView, needsYou } from "@parlor/protocol"
import { PanelLeftOpen, Search, Settings2, SquarePen } from "lucide-react"
import { t } from "../../texts/en/sidebar.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { keysFor, registry } from "../keyboard/useShortcut.ts"
import { go } from "../place/usePlace.ts"
import { useFeed } from "../tab/DeskContext.ts"
import type { Tabs } from "../tab/useTabs.ts"
import { newChatAddress } from "./NewChat.tsx"

export type RailProps = {
  readonly agents: readonly AgentView[]
  readonly tabs: Pick<Tabs, "open">
  readonly onShow: () => void
}

/** The collapsed sidebar. A dot says that a conversation needs the person. */
export function Rail({ agents, tabs, onShow }: RailProps) {
  const { rows } = useFeed()
  const needing = tabs.open.filter(({ row }) => row !== undefined && needsYou(row)).length
  const [first] = agents
  return (
    <nav aria-label={t("sidebar")} className="flex h-full flex-col items-center gap-2 py-3">
      <span className="relative">
        <IconButton label={needing === 0 ? t("showSidebar") : t("showSidebarAConversationNeeds")} onClick={onShow}>
          <PanelLeftOpen aria-hidden className="size-4" />
        </IconButton>
        {needing > 0 && (
          <span data-dot className="pointer-events-none absolute top-0.5 right-0.5 size-2 rounded-full bg-warn" />
        )}
      </span>
      <IconButton
        label={t("newChat")}
        keys={keysFor("newChat")}
        disabled={first === undefined}
        onClick={() => first && go(newChatAddress(first.name, rows))}
      >
        <SquarePen aria-hidden className="size-4" />
      </IconButton>
      <IconButton label={t("search")} keys={keysFor("palette")} onClick={() => registry.run("palette")}>
        <Search aria-hidden className="size-4" />
      </IconButton>
      <span className="mt-auto">
        <IconButton label={t("settings")} keys={keysFor("settings")} onClick={() => registry.run("settings")}>
          <Settings2 aria-hidden className="size-4" />
        </IconButton>
      </span>
    </nav>
  )
}
