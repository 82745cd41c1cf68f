import type { MessageRow } from "@parlor/protocol"

type Sender = Pick<MessageRow, "role" | "author" | "trigger">
type Source = NonNullable<MessageRow["trigger"]>["source"]

/** Who sent a message: a person, an agent, or a trigger such as a schedule or a webhook (TRG-1). */
export function senderOf(
  { role, author, trigger }: Sender,
  names: { readonly agent: string; readonly person: string },
): string {
  if (role === "agent") return author || names.agent
  const source = trigger ? sources(names.agent)[trigger.source] : undefined
  if (source === undefined) return author || names.person
  return trigger?.subject ? `${source}: ${trigger.subject}` : source
}

/** An imported message keeps its author. */
function sources(agent: string): Readonly<Record<Source, string | undefined>> {
  return {
    schedule: "schedule",
    webhook: "webhook",
    api: "API",
    "mcp-event": "MCP event",
    agent: "another agent",
    observation: `something that ${agent} observes`,
    self: `${agent}, as a reminder to itself`,
    spawn: "another conversation",
    sidecar: "side chat",
    import: undefined,
  }
}
