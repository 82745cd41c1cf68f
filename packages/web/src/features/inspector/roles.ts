/** The heading of each message of a prompt. Pure. */
import type { InspectedMessage } from "@parlor/protocol"

const TITLES: Readonly<Record<InspectedMessage["role"], string>> = {
  person: "Person",
  agent: "Agent",
  tools: "Tool results",
}

export type Titled = { readonly message: InspectedMessage; readonly title: string }

/** Numbered, so that people can refer to a message. */
export function rolesOf(messages: readonly InspectedMessage[]): readonly Titled[] {
  return messages.map((message, index) => ({ message, title: `${index + 1} · ${TITLES[message.role]}` }))
}
