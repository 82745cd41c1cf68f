import { Trash2, Zap } from "lucide-react"
import { Switch } from "radix-ui"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/trigger.ts"
import { momentText } from "../../texts/format.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { IconButton } from "../../ui/IconButton.tsx"
import { Firings } from "./Firings.tsx"
import type { Item } from "./triggerView.ts"
import type { TriggerActs } from "./useTriggers.ts"
import { firingWords } from "./whenWords.ts"

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
            {isDeclared && ` · ${t("fromConfig")}`}
            {last !== null && ` · ${t("lastFired", { time: momentText(last.at), result: firingWords(last) })}`}
          </p>
        </div>
        {!isOver && (
          <>
            <IconButton label={t("fireNow", { title })} onClick={() => acts.fire(item)}>
              <Zap className="size-3.5" />
            </IconButton>
            <PauseSwitch title={title} isOn={!paused} onChange={() => acts.pause(item)} />
          </>
        )}
        {!isDeclared && (
          <IconButton label={t("deleteTitle", { title })} onClick={() => setAsking(true)}>
            <Trash2 className="size-3.5" />
          </IconButton>
        )}
      </div>
      {asking && (
        <Confirm
          title={t("deleteAsk")}
          action={common("delete")}
          onDo={() => {
            setAsking(false)
            acts.remove(item)
          }}
          onClose={() => setAsking(false)}
        >
          {t("deleteMeans", { title })}
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
      aria-label={t("isOn", { title })}
      data-tip={t(isOn ? "pause" : "resume")}
      className="relative mt-1 pointer-coarse:mt-2.5 h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors after:absolute after:-inset-2.5 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Switch.Thumb className="block size-4 translate-x-px rounded-full bg-muted transition-transform data-[state=checked]:translate-x-[1.06rem] data-[state=checked]:bg-on-accent" />
    </Switch.Root>
  )
}
