/** What an agent's own code may read of its conversation (COD-3). */
import type { ConversationAccess, TranscriptMessage } from "../agent/conversation-access.ts"
import { buildRequest } from "../context/context.ts"
import type { ModelMessage } from "../ports/model.ts"
import type { Run } from "./run.ts"

export function conversationView(run: Run): ConversationAccess {
  const { address } = run.parts.owner
  return {
    address,
    messages: ({ last } = {}) => (last === undefined ? [...run.history] : run.history.slice(-Math.max(1, last))),
    summary: () => run.archive?.summary,
    transcript: () => transcriptOf(run),
  }
}

/** As a model would be told it: other agents' words framed, outside material marked. */
function transcriptOf({ brief, archive, history, parts }: Run): readonly TranscriptMessage[] {
  const { messages } = buildRequest({
    author: brief.author,
    instructions: "",
    notes: "",
    ...(archive === undefined ? {} : { summary: archive.summary }),
    tools: [],
    host: parts.owner.address.agent,
    messages: history,
  })
  return messages.flatMap(asTranscript)
}

function asTranscript(message: ModelMessage): readonly TranscriptMessage[] {
  if (message.role === "tools") return []
  if (message.role === "person") return [{ role: "user", content: message.text }]
  const content = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return content === "" ? [] : [{ role: "assistant", content }]
}
