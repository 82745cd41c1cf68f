import type { AgentView } from "@parlor/protocol"
import { PanelLeft } from "lucide-react"
import { useSide } from "../tab/SideContext.ts"
import { AgentFace } from "./AgentFace.tsx"

export type AgentMenuProps = { readonly agents: readonly AgentView[]; readonly current: string }

/** The agent in front. Where there is no room for the side, it opens from here. */
export function AgentMenu({ current }: AgentMenuProps) {
  const { openDrawer } = useSide()
  return (
    <button
      type="button"
      onClick={openDrawer}
      aria-haspopup="dialog"
      aria-label={`Agent: ${current}. Choose another`}
      className="flex shrink-0 items-center gap-1.5 rounded-lg px-1.5 py-1.5 hover:bg-line/50 pointer-coarse:min-h-10 md:hidden"
    >
      <PanelLeft aria-hidden className="size-4 text-muted" />
      <AgentFace name={current} small />
    </button>
  )
}
