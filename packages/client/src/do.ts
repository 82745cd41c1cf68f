import { type SdkRouteName, sdkEndpointOf } from "@parlor/protocol"
import type { Http } from "./http.ts"
import { repeat } from "./repeat.ts"
import type { Answered, AnyRequest, ConversationArgs, ConversationRoute, InConversation } from "./request.ts"

/** Asks something of one conversation, and again when that is safe. */
export type Do = <N extends ConversationRoute>(name: N, ...request: ConversationArgs<N>) => Answered<N>

export function doIn(http: Http, conversation: InConversation): Do {
  // With the conversation's own parameters a request is whole, which the compiler cannot see for every name at once.
  const ask = http.ask as (name: SdkRouteName, request: AnyRequest) => Promise<unknown>
  const act = (name: ConversationRoute, request: AnyRequest = {}): Promise<unknown> => {
    const whole = { ...request, params: { ...request.params, ...conversation } }
    // What changes something has a key, and is tried again by `ask` itself.
    if (sdkEndpointOf(name).method !== "GET") return ask(name, whole)
    return repeat(http.timing, { repeating: "on-fault", signal: request.signal }, () => ask(name, whole))
  }
  return act as Do
}
