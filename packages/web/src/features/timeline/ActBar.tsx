import type { MessageRow } from "@parlor/protocol"
import { GitBranch, MessageCircleQuestion, Pencil, Undo2 } from "lucide-react"
import { memo, useContext, useRef } from "react"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { MessageTime } from "../message/AuthorLine.tsx"
import { spokenText } from "../message/messageView.ts"
import { ActsContext } from "../rollback/acts.ts"
import { useLongPress } from "../rollback/useLongPress.ts"
import { MessageInfo } from "./MessageInfo.tsx"

/** The actions of a message: visible on hover, long press or focus (TAB-11, TAB-12). */
export const ActBar = memo(function ActBar({ message }: { readonly message: MessageRow }) {
  const acts = useContext(ActsContext)
  const bar = useRef<HTMLParagraphElement>(null)
  const isHeld = useLongPress(bar)
  if (acts === undefined || message.state === "streaming") return null
  const spoken = spokenText(message)
  const canRollBack = message.role === "person" && !message.dimmed
  return (
    <p
      ref={bar}
      className={cx(
        "absolute top-full z-10 flex items-center gap-0.5 rounded-lg border border-line bg-raised opacity-0 transition-opacity",
        "focus-within:opacity-100 group-hover/message:opacity-100",
        isHeld ? "pointer-coarse:static pointer-coarse:mt-1 pointer-coarse:opacity-100" : TOUCHED,
        message.role === "person" ? "right-0" : "-left-1.5",
      )}
    >
      {message.role === "person" && <MessageTime at={message.at} />}
      {canRollBack && (
        <>
          <IconButton label="Roll back to here" onClick={() => acts.rollBack(message, false)}>
            <Undo2 aria-hidden className="size-3.5" />
          </IconButton>
          <IconButton label="Edit and send again" onClick={() => acts.rollBack(message, true)}>
            <Pencil aria-hidden className="size-3.5" />
          </IconButton>
        </>
      )}
      <IconButton label="Branch from here" onClick={() => acts.branch(message, false)}>
        <GitBranch aria-hidden className="size-3.5" />
      </IconButton>
      <IconButton label="New side chat" onClick={() => acts.branch(message, true)}>
        <MessageCircleQuestion aria-hidden className="size-3.5" />
      </IconButton>
      {spoken !== "" && <CopyButton text={spoken} label="Copy message" />}
      <MessageInfo message={message} />
    </p>
  )
})

/** On touch screens it is hidden until a long press, but stays available to keyboards and screen readers. */
const TOUCHED = "pointer-coarse:not-focus-within:sr-only"
