import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { Mark } from "../../ui/Mark.tsx"
import { MemoryLink } from "../memory/MemoryLink.tsx"
import { SearchDesk } from "../search/SearchDesk.tsx"
import { TriggerLink } from "../trigger/TriggerLink.tsx"
import { AgentList } from "./AgentList.tsx"

export type AgentSideProps = {
  readonly parlor: Parlor
  readonly agents: readonly AgentView[]
  readonly current: string
  /** What is in front: the agent's name for its conversation, or the title of another page. */
  readonly shown: string
}

/** The quiet list at the side. */
export function AgentSide({ parlor, agents, current, shown }: AgentSideProps) {
  const known = agents.length > 0 ? agents : [{ name: current, description: "" }]
  return (
    <nav
      aria-label="Agents"
      className="w-60 shrink-0 overflow-y-auto border-line border-r bg-side px-2.5 max-md:hidden"
    >
      <p className="flex h-13 items-center gap-2.5 px-2 font-semibold tracking-tight">
        <Mark className="size-6" /> Parlor
      </p>
      <AgentList agents={known} current={shown} />
      <div className="mt-3 border-line border-t pt-3">
        <SearchDesk parlor={parlor} />
        <MemoryLink agent={current} current={shown === "Memory"} />
        <TriggerLink agent={current} current={shown === "Triggers"} />
      </div>
    </nav>
  )
}
