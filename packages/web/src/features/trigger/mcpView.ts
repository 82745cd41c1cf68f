/** MCP servers in words for a person. Pure. */
import { spokenTime } from "@parlor/client"
import { type McpServerView, unreachable } from "@parlor/protocol"

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
      const again = retryAt === null ? "" : `, tried again ${spokenTime(retryAt)}`
      return `away${again}${lastError === null ? "" : `: ${lastError}`}`
    }
    default:
      return unreachable(state)
  }
}

/** Who may use it, and how much it lends. */
export function lentWords({ agents, tools, commands }: Pick<McpServerView, "agents" | "tools" | "commands">): string {
  const who = agents === null ? "every agent" : agents.length === 0 ? "no agent" : agents.join(", ")
  const lent = [counted(tools.length, "tool"), ...(commands.length > 0 ? [counted(commands.length, "command")] : [])]
  return `${lent.join(", ")} for ${who}`
}

/** A changed tool is asked about in the conversation, before its first call: that is where it is allowed. */
export function toolWords({ changed }: McpServerView["tools"][number]): string {
  return changed ? "new or changed: you are asked before its first call" : ""
}

function counted(count: number, name: string): string {
  return count === 1 ? `1 ${name}` : `${count} ${name}s`
}
