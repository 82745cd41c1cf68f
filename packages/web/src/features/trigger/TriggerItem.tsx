import { spokenFiring, spokenTime } from "@parlor/client"
import { Pause, Play, Trash2, Zap } from "lucide-react"
import { useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Firings } from "./Firings.tsx"
import type { Item } from "./triggerView.ts"
import type { TriggerActs } from "./useTriggers.ts"

/** One trigger: what it is, what is next, and what one can do with it. Deleting asks first. */
export function TriggerItem({ item, acts }: { readonly item: Item; readonly acts: TriggerActs }) {
  const [asking, setAsking] = useState(false)
  const { title, what, state, paused, isOver, last } = item
  return (
    <li className="rounded-xl border border-line bg-raised px-3.5 py-2.5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 break-words">{title}</p>
          <p className="mt-0.5 break-words text-muted text-xs">
            {what} · {state}
            {last !== null && ` · last ${spokenTime(last.at)}, ${spokenFiring(last)}`}
          </p>
        </div>
        {!isOver && (
          <>
            <IconButton label={`${paused ? "Resume" : "Pause"} ${title}`} onClick={() => acts.pause(item)}>
              {paused ? <Play className="size-3.5" /> : <Pause className="size-3.5" />}
            </IconButton>
            <IconButton label={`Fire ${title} now`} onClick={() => acts.fire(item)}>
              <Zap className="size-3.5" />
            </IconButton>
          </>
        )}
        <IconButton label={`Delete ${title}`} onClick={() => setAsking(true)}>
          <Trash2 className="size-3.5" />
        </IconButton>
      </div>
      {asking && (
        <p role="alert" className="mt-2 flex flex-wrap items-center gap-2 rounded-lg bg-warn-tint px-3 py-2 text-sm">
          <span className="mr-auto text-warn">Delete it for good?</span>
          <Button onClick={() => acts.remove(item)}>Delete</Button>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
        </p>
      )}
      <Firings read={() => acts.firings(item)} />
    </li>
  )
}
