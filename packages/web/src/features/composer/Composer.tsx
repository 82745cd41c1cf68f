import type { Files } from "@parlor/client"
import type { AgentView, ComposerInput, Sent, SlashCommandRow } from "@parlor/protocol"
import { ArrowUp, CornerDownRight, ListPlus, Square } from "lucide-react"
import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef } from "react"
import { t } from "../../texts/en/composer.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Segments } from "../../ui/Segments.tsx"
import { AttachButton } from "../attachment/AttachButton.tsx"
import { AttachmentTray } from "../attachment/AttachmentTray.tsx"
import { attachedList, attachedWithout } from "../attachment/attached.ts"
import { ownUploads } from "../attachment/uploads.ts"
import { useUploads } from "../attachment/useAttachments.ts"
import { isBlank, isNothing, recognized } from "../draft/doc.ts"
import { ownDrafts } from "../draft/draft.ts"
import { useDraft } from "../draft/useDraft.ts"
import { useOwnPart } from "../keep/OwnContext.ts"
import { isKeyOf, keysFor } from "../keyboard/useShortcut.ts"
import { Alert } from "../status/Alert.tsx"
import { Box } from "./Box.tsx"
import { type BoxActs, focusBox, type Handover } from "./box.ts"
import { CommandLine } from "./CommandLine.tsx"
import { commandHints, wantsWords } from "./commandHints.ts"
import { PickerList } from "./PickerList.tsx"
import { SendHint } from "./SendHint.tsx"
import { SentNote } from "./SentNote.tsx"
import { type Act, actName, type Outlook, planOf } from "./sendWords.ts"
import { useBusyMode } from "./useBusyMode.ts"
import { usePicker } from "./usePicker.ts"
import { isRejected, useSending } from "./useSending.ts"

export type ComposerProps = {
  readonly agent: string
  readonly conversation: string
  /** A turn runs that can be stopped. */
  readonly busy: boolean
  readonly outlook: Outlook
  readonly box: RefObject<HTMLElement | null>
  readonly commands: readonly SlashCommandRow[]
  readonly agents: readonly AgentView[]
  readonly files: Files | undefined
  readonly canEditLast: boolean
  readonly onSend: (input: ComposerInput, act: Act) => Promise<Pick<Sent, "note">>
  readonly onStop: () => Promise<unknown>
  readonly onFiles: (files: readonly File[]) => void
  /** Opens the last queued message. */
  readonly onEditLast: () => void
  /** Which model answers. */
  readonly model?: ReactNode
}

export function Composer(props: ComposerProps) {
  const { agent, conversation, busy, outlook, box, commands, agents, files, canEditLast, onStop, onFiles } = props
  const drafts = useOwnPart(ownDrafts)
  const allUploads = useOwnPart(ownUploads)
  const draft = useDraft(conversation)
  const uploads = useUploads(conversation)
  const [mode, setMode] = useBusyMode(conversation)
  const hint = useId()
  const acts = useRef<BoxActs>(null)
  const handover = useRef<Handover | undefined>(undefined)
  useEffect(() => focusBox(box.current), [box])

  const others = useMemo(() => agents.filter(({ name }) => name !== agent), [agents, agent])
  const picking = usePicker({
    commands,
    agents: others,
    files,
    insert: (trigger, chip) => acts.current?.insert(trigger, chip),
  })
  const hints = useMemo(() => {
    const options = { commands: commands.map(({ name }) => name), agents: [] }
    return draft.input.source.includes("/") ? commandHints(recognized(draft.input, options), commands) : []
  }, [draft.input, commands])
  const sending = useSending({ draft, uploads, wants: wantsWords(hints), onSend: props.onSend })
  const plan = planOf(outlook, mode)
  const isEmpty = isBlank(draft.input) && uploads.every(isRejected)

  const sendFromButton = (act: Act) => {
    // The button may change or disappear when the turn ends, so move the focus to the box.
    focusBox(box.current)
    sending.send(act)
  }
  const stop = () => {
    focusBox(box.current)
    onStop().catch(sending.refuse)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    if (picking.onKey(event)) return true
    if (event.key === "ArrowUp" && canEditLast && isNothing(draft.input) && isUnmodified(event)) {
      props.onEditLast()
      return true
    }
    if (busy && isKeyOf("stop", event)) {
      stop()
      return true
    }
    if (event.key !== "Enter" || event.altKey) return false
    if (event.shiftKey) acts.current?.newLine()
    else sending.send(event.ctrlKey || event.metaKey ? (plan.other ?? plan.enter) : plan.enter)
    return true
  }
  return (
    <form
      aria-label={t("writeAMessage")}
      onSubmit={(event) => {
        event.preventDefault()
        sendFromButton(plan.enter)
      }}
    >
      {sending.refusal && <Alert note={sending.refusal} className="mb-2" />}
      {sending.heldUp !== undefined && (
        <p role="alert" className="mb-2 rounded-xl bg-warn-tint px-3.5 py-2 text-sm text-warn">
          {sending.heldUp}
        </p>
      )}
      {sending.note && <SentNote note={sending.note} />}
      <div className="relative">
        {picking.open && <PickerList picker={picking.open} />}
        {!picking.open && <CommandLine hints={hints} isAsked={sending.isAsked} />}
        <div className="rounded-2xl border border-line-strong bg-raised shadow-float focus-within:border-accent">
          <AttachmentTray
            attached={attachedList(draft.input)}
            uploads={uploads}
            preview={allUploads.preview}
            onDetach={(hash) => drafts.write(conversation, attachedWithout(drafts.read(conversation), hash))}
            onRetry={(id) => allUploads.retry(conversation, id)}
            onRemove={(id) => allUploads.remove(conversation, id)}
          />
          <div className="flex items-end gap-1.5 p-1.5">
            <AttachButton onFiles={onFiles} />
            <Box
              conversation={conversation}
              label={t("messageToAgent", { agent })}
              placeholder={t("messageAgent", { agent })}
              describedBy={hint}
              input={draft.input}
              box={box}
              acts={acts}
              handover={handover}
              picker={picking.open && { list: picking.open.list, active: activeId(picking.open) }}
              onChange={draft.change}
              onTrigger={picking.onTrigger}
              onKey={onKey}
              onFiles={onFiles}
            />
            {busy && (
              <IconButton label={t("stop")} keys={keysFor("stop")} look="plain" onClick={stop}>
                <Square aria-hidden className="size-3.5 fill-current" />
              </IconButton>
            )}
            <IconButton type="submit" label={actName(plan.enter)} look="main" disabled={isEmpty}>
              <ActSign act={plan.enter} />
            </IconButton>
          </div>
        </div>
      </div>
      <div className="mt-1.5 flex min-h-7 flex-wrap items-center justify-center gap-x-3 gap-y-1 px-1">
        {props.model}
        {outlook.kind === "queue" && outlook.canSteer && (
          <Segments
            label={t("whileAgentIsReplying", { agent })}
            value={mode}
            options={[
              { value: "queue", label: t("queue") },
              { value: "steer", label: t("addToCurrentReply") },
            ]}
            onChange={setMode}
          />
        )}
        <SendHint
          id={hint}
          agent={agent}
          outlook={outlook}
          plan={plan}
          isEmpty={isEmpty}
          canEditLast={canEditLast}
          onOther={() => plan.other && sendFromButton(plan.other)}
        />
      </div>
    </form>
  )
}

function ActSign({ act }: { readonly act: Act }) {
  const Icon = act === "send" || act === "answer" ? ArrowUp : act === "queue" ? ListPlus : CornerDownRight
  return <Icon aria-hidden className="size-[1.1rem]" />
}

function activeId(picker: NonNullable<ReturnType<typeof usePicker>["open"]>): string | undefined {
  return picker.active && picker.rowId(picker.active)
}

function isUnmodified(event: KeyboardEvent): boolean {
  return !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey
}
