/** A request that sends a message: of either route, with what the headers say about its conversation. */
import { agentName, branchName, Refusal } from "@parlor/protocol"
import type { Call, Services } from "../services.ts"

export type SendCall = Pick<Call<"openaiChat">, "caller" | "bytes" | "txid" | "header"> & {
  readonly conversationHeaders: readonly (string | undefined)[]
}

export function sendCallOf(services: Services, call: Call<"openaiChat"> | Call<"openaiRespond">): SendCall {
  const { caller, bytes, txid, header } = call
  const conversationHeaders = [header(OPEN_WEBUI_HEADER), header(services.conversationHeader)]
  return { caller, bytes, txid, header, conversationHeaders }
}

/** Where a message goes. */
export type Destination = {
  readonly agent: string
  /** Undefined: the request names no conversation. */
  readonly branch: string | undefined
  /** The client always sends its whole history, and never a new message alone. */
  readonly sendsWholeHistory: boolean
  /** The client keeps nothing of this chat, so neither does the server. */
  readonly isTemporary: boolean
}

/** Also the default of `PARLOR_CONVERSATION_HEADER`. */
export const CONVERSATION_HEADER = "x-parlor-conversation"
const OPEN_WEBUI_HEADER = "x-openwebui-chat-id"
/** Ids of Open WebUI's temporary chats. */
const TEMPORARY = "local:"
/** What clients put into the header of a chat that has no id yet. */
const UNNAMED: ReadonlySet<string> = new Set(["", "new", "null", "undefined"])

/** `agent`, or `agent/branch`; then the header of the client. */
export function destinationOf(services: Services, call: SendCall, model: string): Destination {
  const { agent, branch } = modelOf(services, model)
  const plain = { agent, sendsWholeHistory: false, isTemporary: false }
  if (branch !== undefined) return { ...plain, branch }
  const [ofOpenWebui, ofClient] = call.conversationHeaders.map((value) => value?.trim() ?? "")
  if (ofOpenWebui?.startsWith(TEMPORARY)) return { ...plain, branch: undefined, isTemporary: true }
  const isOpenWebui = ofOpenWebui !== undefined && !UNNAMED.has(ofOpenWebui)
  const name = isOpenWebui ? ofOpenWebui : ofClient
  if (name === undefined || UNNAMED.has(name)) return { ...plain, branch: undefined }
  return { ...plain, branch: branchOf(name, services.conversationHeader), sendsWholeHistory: isOpenWebui }
}

export function modelOf({ runtime }: Services, model: string): { readonly agent: string; readonly branch?: string } {
  const slash = model.indexOf("/")
  const agent = slash < 0 ? model : model.slice(0, slash)
  if (!agentName.safeParse(agent).success || !runtime.agents().some(({ name }) => name === agent))
    throw new Refusal("agent.unknown", `There is no agent "${agent}". GET /v1/models lists the agents.`, "/model")
  return slash < 0 ? { agent } : { agent, branch: branchOf(model.slice(slash + 1), "/model") }
}

export function branchOf(name: string, pointer: string): string {
  const parsed = branchName.safeParse(name)
  if (parsed.success) return parsed.data
  throw new Refusal("request.invalid", parsed.error.issues[0]?.message ?? "That is not a branch name.", pointer)
}
