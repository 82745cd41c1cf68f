import type { MessageRow } from "@parlor/protocol"
import {
  Ellipsis,
  GitBranch,
  MessageCircleQuestion,
  Pencil,
  RefreshCw,
  ThumbsDown,
  ThumbsUp,
  Undo2,
  Volume2,
  VolumeOff,
} from "lucide-react"
import { memo, useContext, useRef } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/timeline.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import type { MenuItem } from "../../ui/menuItem.ts"
import { MessageTime } from "../message/AuthorLine.tsx"
import { spokenText } from "../message/messageView.ts"
import { ActsContext, type MessageActs } from "../rollback/acts.ts"
import { MessageInfo } from "./MessageInfo.tsx"
import { canSpeak, useSpeech } from "./useSpeech.ts"
import { VersionPager, type VersionPagerProps } from "./VersionPager.tsx"

export type ActBarProps = {
  readonly message: MessageRow
  /** Stays visible; the others appear on hover and focus, and on touch screens always. */
  readonly isNewest: boolean
  readonly versions?: VersionPagerProps | undefined
}

/** The actions of a message, in a line of their own below it: they never cover anything (MSG-2). */
export const ActBar = memo(function ActBar({ message, isNewest, versions }: ActBarProps) {
  const acts = useContext(ActsContext)
  const bar = useRef<HTMLDivElement>(null)
  const speech = useSpeech(bar)
  const isMine = message.role === "person"
  if (acts === undefined) return null
  const spoken = spokenText(message)
  const shy = cx(
    "flex items-center gap-0.5 transition-opacity",
    !isNewest && "pointer-fine:opacity-0 focus-within:opacity-100 group-hover/message:opacity-100",
    "has-data-[state=open]:opacity-100",
  )
  return (
    <div
      ref={bar}
      className={cx(
        "mt-0.5 flex min-h-7 items-center gap-1 pointer-coarse:min-h-10",
        isMine ? "justify-end" : "-ml-1.5",
      )}
    >
      {versions && <VersionPager {...versions} />}
      <div className={shy}>
        {isMine && <MessageTime at={message.at} />}
        {isMine && !message.dimmed && message.inbox === null && (
          <IconButton label={common("edit")} onClick={() => acts.edit(message)}>
            <Pencil aria-hidden className="size-3.5" />
          </IconButton>
        )}
        {spoken !== "" && <CopyButton text={spoken} label={t("copyMessage")} />}
        {!isMine && !message.dimmed && <Rating message={message} acts={acts} />}
        {!isMine && !message.dimmed && (
          <IconButton label={t("regenerate")} onClick={() => acts.tryAgain(message)}>
            <RefreshCw aria-hidden className="size-3.5" />
          </IconButton>
        )}
        <MessageInfo message={message} />
        <Menu align={isMine ? "end" : "start"} items={itemsFor(message, acts, speech)}>
          <IconButton label={t("moreActionsForThisMessage")}>
            <Ellipsis aria-hidden className="size-3.5" />
          </IconButton>
        </Menu>
      </div>
    </div>
  )
})

/** Pressed again, it is taken back (MSG-13). */
function Rating({ message, acts }: { readonly message: MessageRow; readonly acts: MessageActs }) {
  const { feedback = null } = message
  const rate = (value: "up" | "down") => acts.rate(message, feedback === value ? null : value)
  const look = (value: "up" | "down") => cx("size-3.5", feedback === value && "fill-current text-accent")
  return (
    <>
      <IconButton label={t("goodReply")} aria-pressed={feedback === "up"} onClick={() => rate("up")}>
        <ThumbsUp aria-hidden className={look("up")} />
      </IconButton>
      <IconButton label={t("badReply")} aria-pressed={feedback === "down"} onClick={() => rate("down")}>
        <ThumbsDown aria-hidden className={look("down")} />
      </IconButton>
    </>
  )
}

function itemsFor(
  message: MessageRow,
  acts: MessageActs,
  speech: { readonly isSpeaking: boolean; readonly toggle: () => void },
): readonly MenuItem[] {
  const items: MenuItem[] = []
  if (message.role === "agent" && canSpeak && spokenText(message) !== "")
    items.push(
      speech.isSpeaking
        ? { label: t("stopReadingAloud"), icon: VolumeOff, onChoose: speech.toggle }
        : { label: t("readAloud"), icon: Volume2, onChoose: speech.toggle },
    )
  if (message.role === "person" && !message.dimmed)
    items.push({ label: t("rollBackToHere"), icon: Undo2, onChoose: () => acts.rollBack(message) })
  return [
    ...items,
    { label: t("branchFromHere"), icon: GitBranch, onChoose: () => acts.branch(message, false) },
    { label: t("newSideChat"), icon: MessageCircleQuestion, onChoose: () => acts.branch(message, true) },
  ]
}
