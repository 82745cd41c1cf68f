/** Labels of MCP servers. Pure. */
import { type McpServerView, spokenTime, unreachable } from "@parlor/protocol"

export function stateWords({
  state,
  lastError,
  retryAt,
}: Pick<McpServerView, "state" | "lastError" | "retryAt">): string {
  switch (state) {
    case "ready":
      return "ready"
    case "connecting":
      return "connecting…"
    case "waiting": {
      const again = retryAt === null ? "" : `, retrying ${spokenTime(retryAt)}`
      return `unavailable${again}${lastError === null ? "" : `: ${lastError}`}`
    }
    default:
      return unreachable(state)
  }
}

/** Which agents may use it, and how many tools it provides. */
export function lentWords({
  agents,
  tools,
  slashCommands,
}: Pick<McpServerView, "agents" | "tools" | "slashCommands">): string {
  const who = agents === null ? "every agent" : agents.length === 0 ? "no agent" : agents.join(", ")
  const lent = [
    counted(tools.length, "tool"),
    ...(slashCommands.length > 0 ? [counted(slashCommands.length, "command")] : []),
  ]
  return `${lent.join(", ")} for ${who}`
}

/** A changed tool needs an approval in the conversation before its first call. */
export function toolWords({ changed }: McpServerView["tools"][number]): string {
  return changed ? "new or changed: needs your approval before its first call" : ""
}

function counted(count: number, name: string): string {
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}
