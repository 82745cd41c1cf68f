import { ArrowUp, ChevronDown, ChevronUp, Ellipsis, ListEnd, Pause, Pencil, Play, X } from "lucide-react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/queue.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { Menu } from "../../ui/Menu.tsx"
import type { MenuItem } from "../../ui/menuItem.ts"
import { useMedia } from "../../ui/useMedia.ts"
import { keysFor } from "../keyboard/useShortcut.ts"
import type { Waiting } from "./queueView.ts"

export type ItemActs = {
  readonly edit: (id: string) => void
  readonly sendNow: (id: string) => void
  readonly move: (id: string, way: "up" | "down") => void
  /** Moves it just before or after another one. */
  readonly place: (id: string, where: { readonly before: string } | { readonly after: string }) => void
  /** `queued` runs in its turn; `paused` is skipped. */
  readonly setMode: (id: string, mode: "queued" | "paused") => void
  readonly remove: (id: string) => void
}

const sign = "size-4"
/** Over the row on hover or focus. */
const shy =
  "pointer-fine:absolute pointer-fine:inset-y-0 pointer-fine:right-1.5 pointer-fine:bg-sunken pointer-fine:pl-2 " +
  "pointer-fine:opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100"

type Props = { readonly message: Waiting; readonly acts: ItemActs }

/** Buttons; on touch screens a menu, so that each message takes one line. */
export function QueueItemActs(props: Props) {
  return useMedia("(pointer: coarse)") ? <QueueItemMenu {...props} /> : <QueueItemButtons {...props} />
}

export function queueItems({ id, paused, joining, above, below }: Waiting, acts: ItemActs): readonly MenuItem[] {
  const first: MenuItem = { label: t("sendNow"), icon: ArrowUp, onChoose: () => acts.sendNow(id) }
  const edit: MenuItem = { label: common("edit"), icon: Pencil, onChoose: () => acts.edit(id) }
  const remove: MenuItem = { label: common("remove"), icon: X, bad: true, onChoose: () => acts.remove(id) }
  if (joining)
    return [
      first,
      edit,
      { label: t("queueInstead"), icon: ListEnd, onChoose: () => acts.setMode(id, "queued") },
      "line",
      remove,
    ]
  return [
    first,
    edit,
    { label: t("moveUp"), icon: ChevronUp, disabled: !above, onChoose: () => acts.move(id, "up") },
    { label: t("moveDown"), icon: ChevronDown, disabled: !below, onChoose: () => acts.move(id, "down") },
    paused
      ? { label: t("dontSkip"), icon: Play, onChoose: () => acts.setMode(id, "queued") }
      : { label: t("skipForNow"), icon: Pause, onChoose: () => acts.setMode(id, "paused") },
    "line",
    remove,
  ]
}

function QueueItemMenu({ message, acts }: Props) {
  return (
    <Menu items={queueItems(message, acts)}>
      <IconButton label={t("moreActionsForText", { text: message.text })} className="-mr-1.5">
        <Ellipsis aria-hidden className={sign} />
      </IconButton>
    </Menu>
  )
}

function QueueItemButtons({ message, acts }: Props) {
  const { id, paused, joining } = message
  return (
    <div className={`flex shrink-0 items-center transition-opacity ${shy}`}>
      <IconButton label={t("sendNow")} onClick={() => acts.sendNow(id)}>
        <ArrowUp aria-hidden className={sign} />
      </IconButton>
      {joining ? (
        <IconButton label={t("queueInstead")} onClick={() => acts.setMode(id, "queued")}>
          <ListEnd aria-hidden className={sign} />
        </IconButton>
      ) : (
        <>
          <IconButton
            label={t("moveUp")}
            keys={keysFor("queueUp")}
            aria-disabled={!message.above}
            onClick={() => acts.move(id, "up")}
          >
            <ChevronUp aria-hidden className={sign} />
          </IconButton>
          <IconButton
            label={t("moveDown")}
            keys={keysFor("queueDown")}
            aria-disabled={!message.below}
            onClick={() => acts.move(id, "down")}
          >
            <ChevronDown aria-hidden className={sign} />
          </IconButton>
          {paused ? (
            <IconButton label={t("dontSkip")} onClick={() => acts.setMode(id, "queued")}>
              <Play aria-hidden className={sign} />
            </IconButton>
          ) : (
            <IconButton label={t("skipForNow")} onClick={() => acts.setMode(id, "paused")}>
              <Pause aria-hidden className={sign} />
            </IconButton>
          )}
        </>
      )}
      <IconButton label={common("remove")} keys={keysFor("queueRemove")} onClick={() => acts.remove(id)}>
        <X aria-hidden className={sign} />
      </IconButton>
    </div>
  )
}
