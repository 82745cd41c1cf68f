import { type KeyboardEvent, memo } from "react"
import { cx } from "../../ui/cx.ts"
import { useNow } from "../../ui/useNow.ts"
import { type ItemActs, QueueItemActs } from "./QueueItemActs.tsx"
import type { Waiting } from "./queueView.ts"
import { SourceSign } from "./SourceSign.tsx"

export type QueueItemProps = { readonly message: Waiting; readonly acts: ItemActs }

/** One waiting message. Its text opens the editor; Alt with an arrow moves it. */
export const QueueItem = memo(function QueueItem({ message, acts }: QueueItemProps) {
  const { id, text, paused, joining } = message
  const edited = useNow(message.editedUntil) < (message.editedUntil ?? 0)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return
    event.preventDefault()
    acts.move(id, event.key === "ArrowUp" ? "up" : "down")
  }
  return (
    <li
      onKeyDown={onKeyDown}
      className="group/item flex flex-wrap items-center gap-x-2.5 rounded-lg px-2.5 py-0.5 hover:bg-sunken"
    >
      <SourceSign source={message.source} from={message.from} />
      <button
        type="button"
        onClick={() => acts.edit(id)}
        title="Edit"
        aria-label={`Edit: ${text}`}
        className={cx("min-w-0 flex-1 truncate rounded-sm py-1 text-left", paused && "opacity-60")}
      >
        {text}
      </button>
      <span className={cx("shrink-0 text-xs max-md:ml-6 max-md:flex-1", joining ? "text-accent" : "text-muted")}>
        {[message.source === "person" ? "" : message.from, edited ? "being edited" : message.place]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <QueueItemActs message={message} acts={acts} />
    </li>
  )
})
