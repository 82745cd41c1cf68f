import type { Parlor } from "@parlor/client"
import { Eye, Radio } from "lucide-react"
import { useEffect, useMemo, useRef } from "react"
import { t } from "../../texts/en/share.ts"
import { momentText } from "../../texts/format.ts"
import { Button } from "../../ui/Button.tsx"
import { Ended } from "./Ended.tsx"
import { SharedFiles } from "./SharedFiles.tsx"
import { SharedMessage } from "./SharedMessage.tsx"
import { sharerWords } from "./shareView.ts"
import { useShared } from "./useShared.ts"

export type SharedViewProps = { readonly parlor: Parlor; readonly share: string }

/** Near the end, the view follows what is written. */
const NEAR_PX = 160

/** A shared conversation, read only. Scrolls by itself. */
export function SharedView({ parlor, share }: SharedViewProps) {
  const { about, messages, title, isBusy, older, error, loadOlder, retry } = useShared(parlor, share)
  const shared = useMemo(() => parlor.shares.open(share), [parlor, share])
  const box = useRef<HTMLDivElement>(null)
  const isNear = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the messages.
  useEffect(() => {
    const { current } = box
    if (current !== null && isNear.current && about?.mode === "live") current.scrollTop = current.scrollHeight
  }, [messages, about])
  useEffect(() => {
    if (title !== "") document.title = title
  }, [title])
  if (about === undefined && error === undefined) return <div aria-busy className="flex-1" />
  if (about === undefined) return <Ended error={error} onRetry={retry} />
  const onScroll = () => {
    const { current } = box
    if (current !== null) isNear.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX
  }
  const { agent, sharedBy, mode, createdAt, shows } = about
  const isStreaming = messages.at(-1)?.state === "streaming"
  return (
    <div ref={box} onScroll={onScroll} className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-read px-5 py-6 max-md:px-4">
        <header className="mb-6 border-line border-b pb-4">
          <h1 className="break-words font-semibold text-xl">{title || t("sharedConversation")}</h1>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
            <span>{sharerWords(sharedBy)}</span>
            <span className="inline-flex items-center gap-1.5">
              <Eye aria-hidden className="size-3.5" /> {t("readOnly")}
            </span>
            {mode === "live" ? (
              <span className="inline-flex items-center gap-1.5 text-accent">
                <Radio aria-hidden className="size-3.5" /> {t("liveNow")}
              </span>
            ) : (
              <span>{t("upTo", { date: momentText(createdAt) })}</span>
            )}
          </p>
        </header>
        {older !== null && (
          <Button onClick={loadOlder} className="mb-5">
            {t("olderMessages")}
          </Button>
        )}
        <div role="log" className="space-y-6">
          {messages.map((message, index) => (
            <SharedMessage
              key={message.id}
              message={message}
              agent={agent}
              shared={shared}
              isNamed={messages[index - 1]?.role !== message.role || messages[index - 1]?.author !== message.author}
            />
          ))}
        </div>
        {messages.length === 0 && <p className="text-muted">{t("noMessages")}</p>}
        {isBusy && !isStreaming && error === undefined && (
          <p className="mt-4 text-muted text-sm">{t("isReplying", { name: agent })}</p>
        )}
        {shows.files && <SharedFiles shared={shared} />}
        {error !== undefined && <Ended error={error} onRetry={retry} isInPlace />}
      </div>
    </div>
  )
}
