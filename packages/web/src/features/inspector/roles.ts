/** The heading of each message of a prompt. Pure. */

import type { InspectedMessage } from "@parlor/protocol"
import { t } from "../../texts/en/inspector.ts"

const TITLES = { person: "person", agent: "agent", tools: "toolResults" } as const

export type Titled = { readonly message: InspectedMessage; readonly title: string }

/** Numbered, so that people can refer to a message. */
export function rolesOf(messages: readonly InspectedMessage[]): readonly Titled[] {
  return messages.map((message, index) => ({ message, title: `${index + 1} · ${t(TITLES[message.role])}` }))
}
