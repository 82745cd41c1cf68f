import type { AgentView } from "@parlor/protocol"
import { ChevronsUpDown } from "lucide-react"
import { MemoryLink } from "../memory/MemoryLink.tsx"
import { TriggerLink } from "../trigger/TriggerLink.tsx"
import { AgentFace } from "./AgentFace.tsx"
import { AgentList } from "./AgentList.tsx"

export type AgentMenuProps = { readonly agents: readonly AgentView[]; readonly current: string }

/** The agent in front. Where there is no room for the list at the side, it opens from here. */
export function AgentMenu({ agents, current }: AgentMenuProps) {
  return (
    <>
      <h1 className="flex items-center gap-2.5 font-semibold max-md:hidden">{current}</h1>
      <button
        type="button"
        popoverTarget="agents"
        aria-label={`Agent: ${current}. Choose another`}
        className="flex min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 font-semibold hover:bg-line/50 md:hidden"
      >
        <AgentFace name={current} small />
        <span className="truncate">{current}</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
      </button>
      <nav
        id="agents"
        popover="auto"
        aria-label="Agents"
        className="inset-auto top-13 left-2 w-72 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-raised p-1.5 text-ink shadow-float"
      >
        <AgentList agents={agents} current={current} onChoose={close} />
        <div className="mt-1.5 border-line border-t pt-1.5">
          <MemoryLink agent={current} onChoose={close} />
          <TriggerLink agent={current} onChoose={close} />
        </div>
      </nav>
    </>
  )
}

function close(): void {
  document.getElementById("agents")?.hidePopover()
}
