import { GripVertical, Paperclip } from "lucide-react"
import { type DragEvent, type KeyboardEvent, memo, useState } from "react"
import { t } from "../../texts/en/queue.ts"
import { cx } from "../../ui/cx.ts"
import { useNow } from "../../ui/useNow.ts"
import { isKeyOf } from "../keyboard/useShortcut.ts"
import { SourceSign } from "../message/SourceSign.tsx"
import { QUEUE_DRAG, type Spot, spotAt } from "./drag.ts"
import { type ItemActs, QueueItemActs } from "./QueueItemActs.tsx"
import type { Waiting } from "./queueView.ts"

export type QueueItemProps = {
  readonly message: Waiting
  readonly acts: ItemActs
  /** Another message was dropped on this one. */
  readonly onDropped: (moved: string, at: { readonly id: string; readonly spot: Spot }) => void
}

const edges = {
  before: "before:absolute before:inset-x-2 before:-top-px before:h-0.5 before:rounded before:bg-accent",
  after: "after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:rounded after:bg-accent",
} as const

/** One queued message. Clicking its text opens the editor; shortcuts, buttons and dragging move it. */
export const QueueItem = memo(function QueueItem({ message, acts, onDropped }: QueueItemProps) {
  const { id, text, paused, joining } = message
  const edited = useNow(message.editedUntil) < (message.editedUntil ?? 0)
  const drop = useDropSpot((moved, spot) => onDropped(moved, { id, spot }))
  const onKeyDown = (event: KeyboardEvent) => {
    const way = isKeyOf("queueUp", event.nativeEvent) ? "up" : isKeyOf("queueDown", event.nativeEvent) ? "down" : ""
    if (way !== "") acts.move(id, way)
    else if (isKeyOf("queueRemove", event.nativeEvent)) acts.remove(id)
    else return
    event.preventDefault()
  }
  return (
    <li
      onKeyDown={onKeyDown}
      draggable={!joining}
      onDragStart={(event) => {
        event.dataTransfer.setData(QUEUE_DRAG, id)
        event.dataTransfer.effectAllowed = "move"
      }}
      {...drop.handlers}
      className={cx(
        "group/item relative flex items-center gap-x-2.5 rounded-lg px-2.5 py-0.5 focus-within:bg-sunken hover:bg-sunken",
        drop.spot !== undefined && edges[drop.spot],
      )}
    >
      {!joining && (
        <GripVertical
          aria-hidden
          className="absolute -left-0.5 size-3.5 cursor-grab text-muted opacity-0 group-hover/item:opacity-100 pointer-coarse:hidden"
        />
      )}
      <SourceSign source={message.source} from={message.from} />
      <button
        type="button"
        onClick={() => acts.edit(id)}
        data-tip="Edit"
        aria-label={t("editText", { text })}
        className={cx(
          "min-w-0 flex-1 truncate rounded-sm py-1 text-left pointer-coarse:min-h-10",
          paused && "text-muted",
        )}
      >
        {text}
      </button>
      {message.attached > 0 && (
        <span className="inline-flex shrink-0 items-center gap-0.5 text-muted text-xs">
          <Paperclip role="img" aria-label={t("attachedFiles")} className="size-3" />
          {message.attached}
        </span>
      )}
      <span className={cx("shrink-0 text-xs", joining ? "text-accent" : "text-muted")}>
        {[
          message.source === "person" ? "" : message.from,
          message.guests.map((guest) => `@${guest}`).join(" "),
          edited ? t("beingEdited") : message.place,
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <QueueItemActs message={message} acts={acts} />
    </li>
  )
})

/** Where a dragged message would be dropped. Ignores anything but queued messages. */
function useDropSpot(onDrop: (moved: string, spot: Spot) => void) {
  const [spot, setSpot] = useState<Spot>()
  const over = (event: DragEvent<HTMLElement>) => {
    if (!event.dataTransfer.types.includes(QUEUE_DRAG)) return
    event.preventDefault()
    event.stopPropagation()
    setSpot(spotAt(event.clientY, event.currentTarget.getBoundingClientRect()))
  }
  const drop = (event: DragEvent<HTMLElement>) => {
    const moved = event.dataTransfer.getData(QUEUE_DRAG)
    setSpot(undefined)
    if (moved === "" || spot === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onDrop(moved, spot)
  }
  const handlers = { onDragOver: over, onDragLeave: () => setSpot(undefined), onDrop: drop }
  return { spot, handlers }
}
