import { ArrowUp, ChevronDown, ChevronUp, ListEnd, Pause, Play, X } from "lucide-react"
import { IconButton } from "../../ui/IconButton.tsx"
import { keysFor } from "../keyboard/useShortcut.ts"
import type { Waiting } from "./queueView.ts"

export type ItemActs = {
  readonly edit: (id: string) => void
  readonly sendNow: (id: string) => void
  readonly move: (id: string, way: "up" | "down") => void
  /** To just before or behind another one. */
  readonly place: (id: string, where: { readonly before: string } | { readonly after: string }) => void
  /** To `queued` it goes on by itself, `paused` is skipped until released. */
  readonly setMode: (id: string, mode: "queued" | "paused") => void
  readonly remove: (id: string) => void
}

const sign = "size-4"
/** Over the row when one comes near it; on a touch screen, where there is no coming near, always beside it. */
const shy =
  "pointer-fine:absolute pointer-fine:inset-y-0 pointer-fine:right-1.5 pointer-fine:bg-sunken pointer-fine:pl-2 " +
  "pointer-fine:opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100"

export function QueueItemActs({ message, acts }: { readonly message: Waiting; readonly acts: ItemActs }) {
  const { id, paused, joining } = message
  return (
    <div className={`flex shrink-0 items-center transition-opacity ${shy}`}>
      <IconButton label="Send now" onClick={() => acts.sendNow(id)}>
        <ArrowUp aria-hidden className={sign} />
      </IconButton>
      {joining ? (
        <IconButton label="Wait for its turn instead" onClick={() => acts.setMode(id, "queued")}>
          <ListEnd aria-hidden className={sign} />
        </IconButton>
      ) : (
        <>
          <IconButton
            label="Move up"
            keys={keysFor("queueUp")}
            aria-disabled={!message.above}
            onClick={() => acts.move(id, "up")}
          >
            <ChevronUp aria-hidden className={sign} />
          </IconButton>
          <IconButton
            label="Move down"
            keys={keysFor("queueDown")}
            aria-disabled={!message.below}
            onClick={() => acts.move(id, "down")}
          >
            <ChevronDown aria-hidden className={sign} />
          </IconButton>
          {paused ? (
            <IconButton label="Release" onClick={() => acts.setMode(id, "queued")}>
              <Play aria-hidden className={sign} />
            </IconButton>
          ) : (
            <IconButton label="Pause" onClick={() => acts.setMode(id, "paused")}>
              <Pause aria-hidden className={sign} />
            </IconButton>
          )}
        </>
      )}
      <IconButton label="Remove" keys={keysFor("queueRemove")} onClick={() => acts.remove(id)}>
        <X aria-hidden className={sign} />
      </IconButton>
    </div>
  )
}
