/** What a model is told about a message that nobody typed (TRG-1). Pure. */
import type { Trigger } from "@parlor/protocol"
import { triggerSources } from "../agent/trigger-sources.ts"

export function triggerNote(trigger: Trigger | null): string {
  if (trigger === null || (trigger.source === "self" && trigger.scheduleId === null)) return ""
  const { note } = triggerSources[trigger.source]
  if (note === "") return ""
  const { subject } = trigger
  if (trigger.source === "agent" && subject !== null)
    return `[${note.replace("another agent", `the agent ${subject}`)}]`
  return trigger.source === "observation" && subject !== null ? `[${note} It is about ${subject}.]` : `[${note}]`
}
