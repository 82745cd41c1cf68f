import type { LiveConversation, LiveState, PendingSend } from "@parlor/client"
import { ArrowDown } from "lucide-react"
import { IconButton } from "../../ui/IconButton.tsx"
import { AskList } from "../ask/AskList.tsx"
import { useAsks } from "../ask/useAsks.ts"
import { MessageList } from "../message/MessageList.tsx"
import { hasContent, opensGroup } from "../message/messageView.ts"
import { OwnWords } from "../message/OwnWords.tsx"
import { speakerOf } from "../message/speaker.ts"
import { ThinkingMessage } from "../message/Thinking.tsx"
import { RetryNote } from "../status/RetryNote.tsx"
import { EmptyConversation } from "./EmptyConversation.tsx"
import { Older } from "./Older.tsx"
import { ProblemCard } from "./ProblemCard.tsx"
import { Skeleton } from "./Skeleton.tsx"
import { useStick } from "./useStick.ts"

export type TimelineProps = {
  readonly agent: string
  readonly description: string | undefined
  readonly state: LiveState | undefined
  readonly live: LiveConversation | undefined
  readonly spoken: readonly PendingSend[]
  readonly onPick: (text: string) => void
  /** Puts words into the box below. */
  readonly onKeep: (text: string) => void
}

const NONE: LiveState["rollbacks"] = []

/** The messages, and everything that stands among them. */
export function Timeline({ agent, description, state, live, spoken, onPick, onKeep }: TimelineProps) {
  const messages = state?.messages ?? []
  const { scroller, content, stuck, jump } = useStick(messages[0]?.id)
  const asks = useAsks(live, state)
  const status = state?.status
  const empty = state?.phase === "ready" && messages.length === 0 && spoken.length === 0
  const last = messages.at(-1)
  const quiet = last?.role === "person" || (last?.state !== "streaming" && last !== undefined && hasContent(last))
  const underway = status?.state === "busy" && status.busyWith !== "rollback" && quiet
  const thinking = state?.connection === "live" && (spoken.length > 0 || underway)
  const speaker = { role: "agent", author: speakerOf(state) } as const
  return (
    <div className="relative min-h-0 flex-1">
      <div ref={scroller} className="h-full overflow-y-auto [overflow-anchor:none]">
        <div
          ref={content}
          role="log"
          aria-label={`Conversation with ${agent}`}
          className="mx-auto flex min-h-full max-w-read flex-col px-5 pt-6 pb-8"
        >
          {state?.older && live && <Older onLoad={() => live.loadOlder()} />}
          {(state === undefined || state.phase === "loading") && <Skeleton />}
          {state?.phase === "failed" && messages.length === 0 && <ProblemCard note={state.error} />}
          {empty && <EmptyConversation agent={agent} description={description} onPick={onPick} />}
          <MessageList
            messages={messages}
            agent={agent}
            running={status?.turn ?? null}
            rollbacks={state?.rollbacks ?? NONE}
          />
          <AskList asks={asks} messages={messages} onKeep={onKeep} />
          {status?.state === "retrying" && <RetryNote status={status} />}
          {status?.state === "error" && <ProblemCard note={status.error} />}
          {spoken.map((message) => (
            <OwnWords key={message.key} text={message.text} />
          ))}
          {thinking && (
            <ThinkingMessage name={speaker.author || agent} named={spoken.length > 0 || opensGroup(speaker, last)} />
          )}
        </div>
      </div>
      <div className="pointer-events-none absolute right-3 bottom-0 left-0 h-6 bg-linear-to-t from-page to-transparent" />
      {!stuck && (
        <IconButton
          label="Jump to newest"
          look="floating"
          onClick={jump}
          className="absolute right-0 bottom-4 left-0 mx-auto animate-arrive"
        >
          <ArrowDown aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  )
}
