import type { AgentView } from "@parlor/protocol"
import { cx } from "../../ui/cx.ts"
import { addressOf } from "../place/place.ts"
import { AgentFace } from "./AgentFace.tsx"

export type AgentListProps = {
  readonly agents: readonly Pick<AgentView, "name" | "description">[]
  readonly current: string
  readonly onChoose?: () => void
}

export function AgentList({ agents, current, onChoose }: AgentListProps) {
  return (
    <ul className="space-y-0.5">
      {agents.map((agent) => (
        <li key={agent.name}>
          <a
            href={addressOf(agent.name)}
            onClick={onChoose}
            aria-current={agent.name === current ? "page" : undefined}
            title={agent.description}
            className={cx(
              "flex items-center gap-2.5 rounded-lg px-2.5 py-2 transition-colors hover:bg-line/50",
              agent.name === current && "bg-line/60",
            )}
          >
            <AgentFace name={agent.name} />
            <span className="min-w-0">
              <span className="block truncate font-medium text-sm leading-5">{agent.name}</span>
              <span className="line-clamp-2 text-muted text-xs leading-4">{agent.description}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
