import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai"

export type ParlorChat = {
  /** The server's address; empty on a page that it serves itself. */
  readonly url: string
  readonly agent: string
  readonly token: string
  readonly fetch?: typeof fetch
}

/** Options for `useChat`: every chat is a conversation with the agent. */
export function parlorChat({ url, agent, token, fetch }: ParlorChat) {
  return {
    // Continues after the person has answered all approvals.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    transport: new DefaultChatTransport({
      api: `${url}/v1/ui/${agent}`,
      headers: { authorization: `Bearer ${token}` },
      ...(fetch === undefined ? {} : { fetch }),
    }),
  }
}
