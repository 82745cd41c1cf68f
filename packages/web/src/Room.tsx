import type { Parlor } from "@parlor/client"
import { useEffect } from "react"
import { AgentSide } from "./features/agent/AgentSide.tsx"
import { useAgents } from "./features/agent/useAgents.ts"
import { usePlace } from "./features/agent/usePlace.ts"
import { useBranch } from "./features/branch/useBranch.ts"
import { Conversation } from "./features/conversation/Conversation.tsx"
import { MemoryPage } from "./features/memory/MemoryPage.tsx"
import { useMemoryPlace } from "./features/memory/useMemoryPlace.ts"
import { TriggerPage } from "./features/trigger/TriggerPage.tsx"
import { useTriggerPlace } from "./features/trigger/useTriggerPlace.ts"

/** The page once one is let in: agents at the side, one conversation or what is remembered in front. */
export function Room({ parlor, onRefused }: { readonly parlor: Parlor; readonly onRefused: () => void }) {
  const agent = usePlace()
  const branch = useBranch()
  const agents = useAgents(parlor, onRefused)
  const memoryFrom = useMemoryPlace()
  const triggersFrom = useTriggerPlace()
  const from = memoryFrom ?? triggersFrom
  const shown = memoryFrom !== undefined ? "Memory" : triggersFrom !== undefined ? "Triggers" : agent
  useEffect(() => {
    document.title = `${shown} · Parlor`
  }, [shown])
  const Page = memoryFrom === undefined ? TriggerPage : MemoryPage
  return (
    <div className="flex h-dvh">
      <AgentSide parlor={parlor} agents={agents} current={from ?? agent} shown={shown} />
      {from === undefined ? (
        <Conversation parlor={parlor} agent={agent} branch={branch} agents={agents} onRefused={onRefused} />
      ) : (
        <Page parlor={parlor} from={from} onRefused={onRefused} />
      )}
    </div>
  )
}
