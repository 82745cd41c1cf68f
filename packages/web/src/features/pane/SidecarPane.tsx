import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { useCallback } from "react"
import { ConversationPane, type Pane } from "./ConversationPane.tsx"
import { SidecarHeader } from "./SidecarHeader.tsx"

export type SidecarPaneProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  /** The branch in front, beside which it stands. */
  readonly front: string
  readonly agents: readonly AgentView[]
  readonly onRefused: () => void
}

/** A sidecar beside the conversation in front: a conversation like any other, with its own messages and box (TAB-11). */
export function SidecarPane({ parlor, agent, branch, front, agents, onRefused }: SidecarPaneProps) {
  const head = useCallback((pane: Pane) => <SidecarHeader pane={pane} front={front} />, [front])
  return (
    <ConversationPane parlor={parlor} agent={agent} branch={branch} agents={agents} onRefused={onRefused} head={head} />
  )
}
