import type { LiveState } from "@parlor/client"
import { type MessageRow, unreachable } from "@parlor/protocol"
import { AskList } from "../ask/AskList.tsx"
import type { Asks } from "../ask/useAsks.ts"
import { OwnWords } from "../message/OwnWords.tsx"
import { ThinkingMessage } from "../message/Thinking.tsx"
import { questionOf } from "../rollback/questionOf.ts"
import { RetryNote } from "../status/RetryNote.tsx"
import type { Below } from "./below.ts"
import { ProblemCard } from "./ProblemCard.tsx"

export type BelowRowProps = {
  readonly item: Below
  readonly agent: string
  readonly state: LiveState | undefined
  readonly asks: Asks
  readonly onKeep: (text: string) => void
}

function lastQuestion(state: LiveState | undefined): MessageRow | undefined {
  const last = state?.messages.findLast(({ dimmed }) => !dimmed)
  return last && questionOf(last, state?.messages ?? [])
}

/** One of the rows below the messages. */
export function BelowRow({ item, agent, state, asks, onKeep }: BelowRowProps) {
  const status = state?.status ?? null
  switch (item.kind) {
    case "asks":
      return <AskList asks={asks} messages={state?.messages ?? []} onKeep={onKeep} />
    case "retry":
      return status && <RetryNote status={status} />
    case "problem":
      return <ProblemCard note={status?.error ?? null} question={lastQuestion(state)} />
    case "send":
      return <OwnWords text={item.text} />
    case "thinking":
      return <ThinkingMessage name={item.author || agent} named={item.named} />
    default:
      return unreachable(item)
  }
}
