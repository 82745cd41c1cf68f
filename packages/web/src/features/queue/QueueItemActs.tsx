import { ArrowUp, ChevronDown, ChevronUp, ListEnd, Pause, Play, X } from "lucide-react"
import { IconButton } from "../../ui/IconButton.tsx"
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
/** Over the row on hover or focus; always visible on touch screens. */
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
        <IconButton label="Queue instead" onClick={() => acts.setMode(id, "queued")}>
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
            <IconButton label="Don't skip" onClick={() => acts.setMode(id, "queued")}>
              <Play aria-hidden className={sign} />
            </IconButton>
          ) : (
            <IconButton label="Skip for now" onClick={() => acts.setMode(id, "paused")}>
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
