import { encodeChanges, type StoredChange } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"
import type { Source } from "../streams/source.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { followConversation, followFeed }

async function followConversation({ runtime }: Services, call: Call<"followConversation">): Promise<Source> {
  const stream = await runtime.conversation(addressOf(call))
  const state = (messages: number) => runtime.stateChanges(stream, messages)
  return { stream: stream.id, state, ...(call.query.steps ? changesWithSteps : changes) }
}

async function followFeed({ runtime }: Services, call: Call<"followFeed">): Promise<Source> {
  const stream = await runtime.feed(call.caller.person)
  return { ...changes, stream: stream.id, state: (messages) => runtime.stateChanges(stream, messages) }
}

const changes = {
  contentType: "application/json",
  encode: (changes: readonly StoredChange[]) => encodeChanges(changes),
}

const changesWithSteps = {
  contentType: "application/json",
  variant: ".steps",
  encode: (changes: readonly StoredChange[]) => encodeChanges(changes, { steps: true }),
}
