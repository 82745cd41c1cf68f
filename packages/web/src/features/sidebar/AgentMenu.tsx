import { PanelLeft } from "lucide-react"
import { AgentFace } from "../agent/AgentFace.tsx"
import { useSide } from "./SideContext.ts"

/** The agent in front. On narrow screens it opens the sidebar. */
export function AgentMenu({ current }: { readonly current: string }) {
  const { openDrawer } = useSide()
  return (
    <button
      type="button"
      onClick={openDrawer}
      aria-haspopup="dialog"
      aria-label={`Agent: ${current}. Open sidebar`}
      className="flex shrink-0 items-center gap-1.5 rounded-lg px-1.5 py-1.5 hover:bg-line/50 pointer-coarse:min-h-10 md:hidden"
    >
      <PanelLeft aria-hidden className="size-4 text-muted" />
      <AgentFace name={current} small />
    </button>
  )
}
