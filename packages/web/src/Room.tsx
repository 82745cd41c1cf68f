import type { Parlor } from "@parlor/client"
import { useEffect } from "react"
import { AgentSide } from "./features/agent/AgentSide.tsx"
import { useAgents } from "./features/agent/useAgents.ts"
import { Conversation } from "./features/conversation/Conversation.tsx"
import { MemoryPage } from "./features/memory/MemoryPage.tsx"
import type { Place } from "./features/place/place.ts"
import { usePlace } from "./features/place/usePlace.ts"
import { TriggerPage } from "./features/trigger/TriggerPage.tsx"

const titles: Readonly<Partial<Record<Place["page"], string>>> = { memory: "Memory", triggers: "Triggers" }

/** The page once one is let in: agents at the side, one conversation or what is remembered in front. */
export function Room({ parlor, onRefused }: { readonly parlor: Parlor; readonly onRefused: () => void }) {
  const place = usePlace()
  const { agent, branch } = place
  const agents = useAgents(parlor, onRefused)
  const shown = titles[place.page] ?? agent
  useEffect(() => {
    document.title = `${shown} · Parlor`
  }, [shown])
  return (
    <div className="flex h-dvh">
      <AgentSide parlor={parlor} agents={agents} current={agent} shown={shown} />
      {place.page === "memory" && <MemoryPage parlor={parlor} from={agent} onRefused={onRefused} />}
      {place.page === "triggers" && <TriggerPage parlor={parlor} from={agent} onRefused={onRefused} />}
      {titles[place.page] === undefined && (
        <Conversation parlor={parlor} agent={agent} branch={branch} agents={agents} onRefused={onRefused} />
      )}
    </div>
  )
}
