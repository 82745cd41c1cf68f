import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { t } from "../../texts/en/pane.ts"
import { PaneBoundary } from "../../ui/PaneBoundary.tsx"
import { usePlace } from "../place/usePlace.ts"
import { ConversationPane, type Pane } from "./ConversationPane.tsx"
import { FrontHeader } from "./FrontHeader.tsx"
import { SidecarPane } from "./SidecarPane.tsx"
import { Split } from "./Split.tsx"

export type ConversationProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  readonly agents: readonly AgentView[]
  readonly onRefused: () => void
}

/** The conversation in front, and the sidecar beside it when the address names one. */
export function Conversation({ parlor, agent, branch, agents, onRefused }: ConversationProps) {
  const { side, detail } = usePlace()
  return (
    <Split
      front={
        <PaneBoundary name={t("thisConversation")} subject={`${agent}/${branch}`}>
          <ConversationPane
            parlor={parlor}
            agent={agent}
            branch={branch}
            agents={agents}
            onRefused={onRefused}
            head={frontHeader}
            goTo={detail}
          />
        </PaneBoundary>
      }
      side={
        side !== undefined &&
        side !== branch && (
          <PaneBoundary name={t("thisSideChat")} subject={`${agent}/${side}`}>
            <SidecarPane
              key={`${agent}/${side}`}
              parlor={parlor}
              agent={agent}
              branch={side}
              front={branch}
              agents={agents}
              onRefused={onRefused}
            />
          </PaneBoundary>
        )
      }
    />
  )
}

const frontHeader = (pane: Pane) => <FrontHeader pane={pane} />
