import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { useCallback } from "react"
import { ConversationPane, type Pane } from "./ConversationPane.tsx"
import { SidecarHeader } from "./SidecarHeader.tsx"

export type SidecarPaneProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  /** The branch in front. */
  readonly front: string
  readonly agents: readonly AgentView[]
  readonly onRefused: () => void
}

/** A sidecar in the side pane: a conversation with its own messages and composer (TAB-11). */
export function SidecarPane({ parlor, agent, branch, front, agents, onRefused }: SidecarPaneProps) {
  const head = useCallback((pane: Pane) => <SidecarHeader pane={pane} front={front} />, [front])
  return (
    <ConversationPane parlor={parlor} agent={agent} branch={branch} agents={agents} onRefused={onRefused} head={head} />
  )
}
