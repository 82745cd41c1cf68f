import { type KeyboardEvent, memo } from "react"
import { cx } from "../../ui/cx.ts"
import { useNow } from "../../ui/useNow.ts"
import { type ItemActs, QueueItemActs } from "./QueueItemActs.tsx"
import type { Waiting } from "./queueView.ts"
import { SourceSign } from "./SourceSign.tsx"

export type QueueItemProps = { readonly message: Waiting; readonly acts: ItemActs }

/** Where there is neither room nor a mouse, what one can do stands below the text. */
const narrow = {
  text: "max-md:pointer-coarse:basis-[calc(100%-2rem)]",
  place: "max-md:pointer-coarse:ml-6 max-md:pointer-coarse:flex-1",
} as const

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
      className="group/item relative flex flex-wrap items-center gap-x-2.5 rounded-lg px-2.5 py-0.5 focus-within:bg-sunken hover:bg-sunken"
    >
      <SourceSign source={message.source} from={message.from} />
      <button
        type="button"
        onClick={() => acts.edit(id)}
        title="Edit"
        aria-label={`Edit: ${text}`}
        className={cx("min-w-0 flex-1 truncate rounded-sm py-1 text-left", narrow.text, paused && "opacity-60")}
      >
        {text}
      </button>
      <span className={cx("shrink-0 text-xs", narrow.place, joining ? "text-accent" : "text-muted")}>
        {[message.source === "person" ? "" : message.from, edited ? "being edited" : message.place]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <QueueItemActs message={message} acts={acts} />
    </li>
  )
})
