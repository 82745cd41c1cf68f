import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai"

export type ParlorChat = {
  /** The server's address; empty on a page that it serves itself. */
  readonly url: string
  readonly agent: string
  readonly token: string
  /** The major version of your `ai` package. */
  readonly sdk?: 6 | 7
  readonly fetch?: typeof fetch
}

/** Options for `useChat`: every chat is a conversation with the agent. */
export function parlorChat({ url, agent, token, sdk = 6, fetch }: ParlorChat) {
  return {
    // Continues after the person has answered all approvals.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    transport: new DefaultChatTransport({
      api: `${url}/v1/ui/${agent}?sdk=${sdk}`,
      headers: { authorization: `Bearer ${token}` },
      ...(fetch === undefined ? {} : { fetch }),
    }),
  }
}
