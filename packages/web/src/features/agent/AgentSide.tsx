import type { AgentView } from "@parlor/protocol"
import { Mark } from "../../ui/Mark.tsx"
import { AgentList } from "./AgentList.tsx"

/** The quiet list at the side. */
export function AgentSide({ agents, current }: { readonly agents: readonly AgentView[]; readonly current: string }) {
  return (
    <nav
      aria-label="Agents"
      className="w-60 shrink-0 overflow-y-auto border-line border-r bg-side px-2.5 max-md:hidden"
    >
      <p className="flex h-13 items-center gap-2.5 px-2 font-semibold tracking-tight">
        <Mark className="size-6" /> Parlor
      </p>
      <AgentList agents={agents.length > 0 ? agents : [{ name: current, description: "" }]} current={current} />
    </nav>
  )
}
