import { spokenFiring, spokenTime } from "@parlor/protocol"
import { Trash2, Zap } from "lucide-react"
import { Switch } from "radix-ui"
import { useState } from "react"
import { Confirm } from "../../ui/Confirm.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Firings } from "./Firings.tsx"
import type { Item } from "./triggerView.ts"
import type { TriggerActs } from "./useTriggers.ts"

/** One trigger: its description, next run and actions. Deleting asks first. */
export function TriggerItem({ item, acts }: { readonly item: Item; readonly acts: TriggerActs }) {
  const [asking, setAsking] = useState(false)
  const { title, what, state, paused, isOver, isDeclared, last } = item
  return (
    <li className="rounded-xl border border-line bg-raised px-3.5 py-2.5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 break-words">{title}</p>
          <p className="mt-0.5 break-words text-muted text-xs">
            {what} · {state}
            {isDeclared && " · from the config"}
            {last !== null && ` · last ${spokenTime(last.at)}, ${spokenFiring(last)}`}
          </p>
        </div>
        {!isOver && (
          <>
            <IconButton label={`Fire ${title} now`} onClick={() => acts.fire(item)}>
              <Zap className="size-3.5" />
            </IconButton>
            <PauseSwitch title={title} isOn={!paused} onChange={() => acts.pause(item)} />
          </>
        )}
        {!isDeclared && (
          <IconButton label={`Delete ${title}`} onClick={() => setAsking(true)}>
            <Trash2 className="size-3.5" />
          </IconButton>
        )}
      </div>
      {asking && (
        <Confirm
          title="Delete this trigger?"
          action="Delete"
          onDo={() => {
            setAsking(false)
            acts.remove(item)
          }}
          onClose={() => setAsking(false)}
        >
          “{title}” and its recent firings will be deleted. This can't be undone. To keep it, pause it instead.
        </Confirm>
      )}
      <Firings read={() => acts.firings(item)} />
    </li>
  )
}

type PauseSwitchProps = { readonly title: string; readonly isOn: boolean; readonly onChange: () => void }

/** A small switch at the end of the row; its label names the trigger. */
function PauseSwitch({ title, isOn, onChange }: PauseSwitchProps) {
  return (
    <Switch.Root
      checked={isOn}
      onCheckedChange={onChange}
      aria-label={`${title} is on`}
      data-tip={isOn ? "Pause" : "Resume"}
      className="relative mt-1 h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors after:absolute after:-inset-2.5 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Switch.Thumb className="block size-4 translate-x-px rounded-full bg-muted transition-transform data-[state=checked]:translate-x-[1.06rem] data-[state=checked]:bg-on-accent" />
    </Switch.Root>
  )
}
