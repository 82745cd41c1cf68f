import type { Parlor } from "@parlor/client"
import { useEffect } from "react"
import { AgentSide } from "./features/agent/AgentSide.tsx"
import { useAgents } from "./features/agent/useAgents.ts"
import { usePlace } from "./features/agent/usePlace.ts"
import { Conversation } from "./features/conversation/Conversation.tsx"

/** The page once one is let in: agents at the side, one conversation in front. */
export function Room({ parlor, onRefused }: { readonly parlor: Parlor; readonly onRefused: () => void }) {
  const agent = usePlace()
  const agents = useAgents(parlor, onRefused)
  useEffect(() => {
    document.title = `${agent} · Parlor`
  }, [agent])
  return (
    <div className="flex h-dvh">
      <AgentSide agents={agents} current={agent} />
      <Conversation parlor={parlor} agent={agent} agents={agents} onRefused={onRefused} />
    </div>
  )
}
