/** Labels of MCP servers. Pure. */

import { type McpServerView, unreachable } from "@parlor/protocol"
import { t } from "../../texts/en/trigger.ts"
import { momentText } from "../../texts/format.ts"

export function stateWords({
  state,
  lastError,
  retryAt,
}: Pick<McpServerView, "state" | "lastError" | "retryAt">): string {
  switch (state) {
    case "ready":
      return t("ready")
    case "connecting":
      return t("connecting")
    case "waiting": {
      const words = retryAt === null ? t("unavailable") : t("unavailableUntil", { time: momentText(retryAt) })
      return lastError === null ? words : `${words}: ${lastError}`
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
  const who = agents === null ? t("everyAgent") : agents.length === 0 ? t("noAgent") : agents.join(", ")
  const lent = [
    t("toolCount", { count: tools.length }),
    ...(slashCommands.length > 0 ? [t("commandCount", { count: slashCommands.length })] : []),
  ]
  return t("lentTo", { what: lent.join(", "), agents: who })
}

/** A changed tool needs an approval in the conversation before its first call. */
export function toolWords({ changed }: McpServerView["tools"][number]): string {
  return changed ? t("needsApproval") : ""
}
