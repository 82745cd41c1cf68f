import { encodeChange, type StoredChange } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"
import type { Source } from "../streams/source.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { followConversation, followFeed }

async function followConversation({ runtime }: Services, call: Call<"followConversation">): Promise<Source> {
  const stream = await runtime.conversation(addressOf(call))
  return { ...changes, stream: stream.id, state: (messages) => runtime.stateChanges(stream, messages) }
}

async function followFeed({ runtime }: Services, call: Call<"followFeed">): Promise<Source> {
  const stream = await runtime.feed(call.caller.person)
  return { ...changes, stream: stream.id, state: (messages) => runtime.stateChanges(stream, messages) }
}

const changes = {
  contentType: "application/json",
  encode: (change: StoredChange) => encodeChange(change),
}
