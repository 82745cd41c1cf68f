import type { Conversation, LiveConversation, LiveState, Parlor } from "@parlor/client"
import type { AgentView, ComposerInput, MessageRow, Sent, SlashCommandRow } from "@parlor/protocol"
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react"
import { t } from "../../texts/en/pane.ts"
import { useDrawn } from "../../ui/useDrawn.ts"
import { useOnline } from "../../ui/useOnline.ts"
import { typedAnswer } from "../ask/askView.ts"
import { DropArea } from "../attachment/DropArea.tsx"
import { useAttach } from "../attachment/useAttachments.ts"
import { useFork } from "../branch/useFork.ts"
import { focusBox } from "../composer/box.ts"
import { Composer } from "../composer/Composer.tsx"
import { type Act, outlookOf } from "../composer/sendWords.ts"
import { ownDrafts } from "../draft/draft.ts"
import { useOwnPart } from "../keep/OwnContext.ts"
import { useMarkdownReady } from "../markdown/LazyMarkdown.tsx"
import { speakerOf } from "../message/speaker.ts"
import { ModelButton } from "../model/ModelButton.tsx"
import { conversationOf } from "../place/place.ts"
import { LazyQueuePanel } from "../queue/LazyQueuePanel.tsx"
import { Acting } from "../rollback/Acting.tsx"
import { ownEditing, sendEdited } from "../rollback/editing.ts"
import { inputOfMessage } from "../sends/editedInput.ts"
import { isBusy, pendingOf } from "../sends/pending.ts"
import { RefusedSends } from "../sends/RefusedSends.tsx"
import { inputOfSend, sendOnce } from "../sends/sendOnce.ts"
import { WaitingSends } from "../sends/WaitingSends.tsx"
import { refusesToken } from "../status/problemWords.ts"
import { type StatusWords, statusWords } from "../status/statusWords.ts"
import { OpeningLine } from "../tab/OpeningLine.tsx"
import { useLive } from "../tab/useLive.ts"
import { goingWords } from "../timeline/goToMessage.ts"
import { Skeleton } from "../timeline/Skeleton.tsx"
import { Timeline } from "../timeline/Timeline.tsx"
import { useGoing } from "../timeline/useGoing.ts"

/** What the header above the messages needs. */
export type Pane = {
  readonly parlor: Parlor
  readonly conversation: Conversation
  readonly live: LiveConversation | undefined
  readonly state: LiveState | undefined
  readonly words: StatusWords
}

export type ConversationPaneProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  readonly agents: readonly AgentView[]
  readonly onRefused: () => void
  /** The header above the messages. */
  readonly head: (pane: Pane) => ReactNode
  /** The message named in the address. */
  readonly goTo?: string | undefined
}

/** One conversation: messages, queue and composer. In the front or side pane. */
export function ConversationPane(props: ConversationPaneProps) {
  const { parlor, agent, branch, agents, onRefused, head, goTo } = props
  const { live, state, asOf } = useLive(parlor, agent, branch)
  const drafts = useOwnPart(ownDrafts)
  const editing = useOwnPart(ownEditing)
  const going = useGoing(live, goTo)
  const handle = useMemo(() => parlor.conversation(agent, branch), [parlor, agent, branch])
  const box = useRef<HTMLElement>(null)
  const openQueued = useRef<(id: string) => void>(undefined)
  const refused = refusesToken(state?.error)
  useEffect(() => {
    if (refused) onRefused()
  }, [refused, onRefused])

  const isOnline = useOnline()
  const fork = useFork(agent, branch, state?.status?.origin)
  const busy = isBusy(state?.status)
  const outlook = outlookOf(state?.status, state?.queue ?? [], state?.asks ?? [])
  const pending = pendingOf(state?.sending ?? [], outlook.kind === "queue")
  const words = statusWords(speakerOf(state) || agent, {
    status: state?.status,
    connection: state?.connection ?? "connecting",
    isOnline,
    queued: state?.queue.length ?? 0,
    undelivered: pending.waiting.length,
    asks: state?.asks ?? [],
    failure: state?.error ?? null,
  })
  const conversation = conversationOf({ agent, branch })
  const inFront = agents.find(({ name }) => name === agent)
  const agentCommands = inFront?.slashCommands
  // Nothing was ever said here, so the server does not know the conversation.
  const isUnsaid = state.phase === "ready" && state.status === null
  const commands = (state.status === null ? agentCommands : state.slashCommands) ?? NO_COMMANDS
  const attach = useAttach(parlor, conversation)
  // The shell is painted before heavy work starts (TAB-2).
  const isDrawn = useDrawn(conversation)
  const isMarkdownReady = useMarkdownReady()
  const keep = (words: string | ComposerInput) => {
    drafts.give(conversation, words)
    focusBox(box.current)
  }
  const send = async (input: ComposerInput, act: Act): Promise<Pick<Sent, "note">> => {
    if (live === undefined) throw new Error("Still connecting.")
    const answer = act === "answer" ? typedAnswer(state?.asks ?? [], input.source) : undefined
    if (answer !== undefined) {
      await live.answer(answer.ask, answer.answer)
      return {}
    }
    const mode = act === "steer" ? "steer" : "immediate"
    return sendEdited(editing, conversation, (editedFrom) =>
      sendOnce(live, input, {
        mode,
        editedFrom,
        commands: commands.map(({ name }) => name),
        agents: agents.map(({ name }) => name),
      }),
    )
  }
  /** A new version of a message. If it is refused, it is in the box, still as that version. */
  const resend = async (input: ComposerInput, editedFrom: string) => {
    editing.write(conversation, editedFrom)
    try {
      await send(input, "send")
    } catch (error) {
      keep(input)
      throw error
    }
  }
  const notEditing = useCallback(() => editing.write(conversation, undefined), [editing, conversation])
  // A rejected example has no draft to restore: it stays in `sending` and is shown there.
  const pick = (text: string) => {
    void live?.send(text)
    focusBox(box.current)
  }
  const stop = () => (live ? live.stop() : Promise.resolve())
  const lastQueued = state?.queue.findLast(({ mode }) => mode !== "steer")?.id
  return (
    <DropArea onFiles={attach}>
      {head({ parlor, conversation: handle, live, state, words })}
      {going !== undefined && going.kind !== "there" && (
        <p role="status" className="border-line border-b bg-sunken px-5 py-1.5 text-muted text-sm max-md:px-3">
          {goingWords(going)}
        </p>
      )}
      <OpeningLine agent={agent} branch={branch} asOf={asOf} isLoading={state.phase === "loading"} />
      <Acting
        key={`acts of ${conversation}`}
        conversation={handle}
        messages={state?.messages ?? NO_MESSAGES}
        inputOf={inputOfMessage}
        onSend={resend}
        onProceed={() => send({ source: t("continueWhereYouLeftOff") }, "send")}
        onCanceled={notEditing}
      >
        {isDrawn && isMarkdownReady ? (
          <Timeline
            key={conversation}
            agent={agent}
            description={agents.find((known) => known.name === agent)?.description}
            state={state}
            live={live}
            conversation={handle}
            spoken={pending.spoken}
            onPick={pick}
            onKeep={keep}
            goTo={going?.kind === "there" ? going.message : undefined}
            fork={fork}
            isSent={goTo !== undefined}
            isStale={asOf !== undefined}
            isOnline={isOnline}
          />
        ) : (
          <div className="mx-auto min-h-0 w-full max-w-read flex-1 px-5 pt-6">
            <div className="animate-soon">{isDrawn && <Skeleton />}</div>
          </div>
        )}
      </Acting>
      <footer className="mx-auto w-full max-w-read px-5 pb-[max(0.5rem,env(safe-area-inset-bottom))] max-md:px-3">
        <RefusedSends
          refused={pending.refused}
          onRetry={(key) => live?.retrySend(key)}
          onDismiss={(key) => live?.dismissSend(key)}
          onKeep={({ key, body }) => {
            live?.dismissSend(key)
            keep(inputOfSend(body))
          }}
        />
        <WaitingSends
          sending={pending.waiting}
          connection={state?.connection ?? "connecting"}
          onRetry={(key) => live?.retrySend(key)}
          onCancel={({ key, body }) => {
            live?.cancelSend(key)
            keep(inputOfSend(body))
          }}
        />
        <LazyQueuePanel
          key={`queue of ${conversation}`}
          live={live}
          state={state}
          sending={pending.queued}
          opener={openQueued}
          onKeep={keep}
        />
        <Composer
          key={conversation}
          agent={agent}
          conversation={conversation}
          busy={busy}
          outlook={outlook}
          box={box}
          commands={commands}
          agents={agents}
          files={isUnsaid ? undefined : handle.files}
          canEditLast={lastQueued !== undefined}
          onSend={send}
          onStop={stop}
          onFiles={attach}
          onEditLast={() => lastQueued !== undefined && openQueued.current?.(lastQueued)}
          model={
            <ModelButton
              parlor={parlor}
              conversation={handle}
              byDefault={(isUnsaid ? inFront?.modelForNew : undefined) ?? inFront?.model}
              settings={state.status?.settings ?? null}
            />
          }
        />
      </footer>
    </DropArea>
  )
}

const NO_MESSAGES: readonly MessageRow[] = []
const NO_COMMANDS: readonly SlashCommandRow[] = []
