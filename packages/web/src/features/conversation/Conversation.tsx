import type { Parlor } from "@parlor/client"
import type { AgentView } from "@parlor/protocol"
import { useCallback, useEffect, useMemo, useRef } from "react"
import { AgentMenu } from "../agent/AgentMenu.tsx"
import { BranchMenu } from "../branch/BranchMenu.tsx"
import { SidecarBar } from "../branch/SidecarBar.tsx"
import { Chapters } from "../compaction/Chapters.tsx"
import { Composer, focusBox } from "../composer/Composer.tsx"
import { drafts } from "../composer/draft.ts"
import { outlookOf } from "../composer/sendWords.ts"
import { FilesDesk } from "../files/FilesDesk.tsx"
import { speakerOf } from "../message/speaker.ts"
import { QueuePanel } from "../queue/QueuePanel.tsx"
import { Acting } from "../rollback/Acting.tsx"
import { editing } from "../rollback/editing.ts"
import { refusesToken } from "../status/problemWords.ts"
import { StatusLine } from "../status/StatusLine.tsx"
import { statusWords } from "../status/statusWords.ts"
import { isBusy, pendingOf } from "./pending.ts"
import { RefusedSends } from "./RefusedSends.tsx"
import { sendOnce } from "./sendOnce.ts"
import { Timeline } from "./Timeline.tsx"
import { useLive } from "./useLive.ts"

export type ConversationProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  readonly agents: readonly AgentView[]
  readonly onRefused: () => void
}

export function Conversation({ parlor, agent, branch, agents, onRefused }: ConversationProps) {
  const { live, state } = useLive(parlor, agent, branch)
  const handle = useMemo(() => parlor.conversation(agent, branch), [parlor, agent, branch])
  const box = useRef<HTMLTextAreaElement>(null)
  const refused = refusesToken(state?.error)
  useEffect(() => {
    if (refused) onRefused()
  }, [refused, onRefused])

  const words = statusWords(speakerOf(state) || agent, {
    status: state?.status,
    connection: state?.connection ?? "connecting",
    queued: state?.queue.length ?? 0,
    asks: state?.asks ?? [],
    failure: state?.error ?? null,
  })
  const busy = isBusy(state?.status)
  const outlook = outlookOf(state?.status, state?.queue ?? [])
  const pending = pendingOf(state?.sending ?? [], outlook.kind === "queue")
  const conversation = `${agent}/${branch}`
  const keep = (text: string) => {
    drafts.give(conversation, text)
    focusBox(box.current)
  }
  const send = async (text: string, mode: "immediate" | "steer") => {
    if (live === undefined) throw new Error("Still connecting.")
    const sent = await sendOnce(live, text, {
      mode,
      editedFrom: editing.read(conversation),
      commands: (state?.commands ?? []).map(({ name }) => name),
      agents: agents.map(({ name }) => name),
    })
    editing.write(conversation, undefined)
    return sent
  }
  const notEditing = useCallback(() => editing.write(conversation, undefined), [conversation])
  // A refused example has no draft to go back to: it stays in `sending` and shows there.
  const pick = (text: string) => {
    void live?.send(text)
    focusBox(box.current)
  }
  const stop = () => (live ? live.stop() : Promise.resolve())
  return (
    <main className="flex min-w-0 flex-1 flex-col">
      <header className="flex h-13 shrink-0 items-center gap-3 border-line border-b px-5 max-md:px-3">
        <AgentMenu agents={agents} current={agent} />
        <div className="ml-auto min-w-0">
          <StatusLine words={words} />
        </div>
        <BranchMenu key={`branches of ${conversation}`} conversation={handle} state={state} />
        <Chapters
          key={`chapters of ${conversation}`}
          conversation={handle}
          busyWith={state?.status?.busyWith ?? null}
        />
        <FilesDesk key={`files of ${conversation}`} parlor={parlor} agent={agent} branch={branch} state={state} />
      </header>
      <SidecarBar key={`sidecar ${conversation}`} conversation={handle} state={state} />
      <Acting
        key={`acts of ${conversation}`}
        conversation={handle}
        onCancelled={notEditing}
        onRolledBack={({ edited }) => {
          editing.write(conversation, edited?.message)
          if (edited !== null) keep(edited.text)
        }}
      >
        <Timeline
          key={conversation}
          agent={agent}
          description={agents.find((known) => known.name === agent)?.description}
          state={state}
          live={live}
          spoken={pending.spoken}
          onPick={pick}
          onKeep={keep}
        />
      </Acting>
      <footer className="mx-auto w-full max-w-read px-5 pb-[max(0.5rem,env(safe-area-inset-bottom))] max-md:px-3">
        <RefusedSends
          refused={pending.refused}
          onRetry={(key) => live?.retrySend(key)}
          onDismiss={(key) => live?.dismissSend(key)}
        />
        <QueuePanel key={`queue of ${conversation}`} live={live} state={state} sending={pending.queued} onKeep={keep} />
        <Composer
          key={conversation}
          agent={agent}
          conversation={conversation}
          busy={busy}
          outlook={outlook}
          box={box}
          onSend={send}
          onStop={stop}
        />
      </footer>
    </main>
  )
}
