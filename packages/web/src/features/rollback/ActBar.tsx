import type { MessageRow } from "@parlor/protocol"
import { GitBranch, MessageCircleQuestion, Pencil, Undo2 } from "lucide-react"
import { memo, useContext } from "react"
import { cx } from "../../ui/cx.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { ActsContext } from "./acts.ts"

/** Shows when its message is hovered over, or when one of its buttons has the focus (TAB-11, TAB-12). */
export const ActBar = memo(function ActBar({ message }: { readonly message: MessageRow }) {
  const acts = useContext(ActsContext)
  if (acts === undefined || message.state === "streaming") return null
  const canRollBack = message.role === "person" && !message.dimmed
  return (
    <p
      className={cx(
        "absolute top-full z-10 flex gap-0.5 rounded-md bg-page opacity-0 transition-opacity",
        "focus-within:opacity-100 group-hover/message:opacity-100",
        "pointer-coarse:static pointer-coarse:mt-1 pointer-coarse:opacity-100",
        message.role === "person" ? "right-0" : "-left-1.5",
      )}
    >
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
      <IconButton label="Ask on the side" onClick={() => acts.branch(message, true)}>
        <MessageCircleQuestion aria-hidden className="size-3.5" />
      </IconButton>
    </p>
  )
})
