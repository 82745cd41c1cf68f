import type { Parlor } from "@parlor/client"
import { ArrowLeft, Plus } from "lucide-react"
import { useMemo, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { addressOf } from "../place/place.ts"
import { Alert } from "../status/Alert.tsx"
import { HookForm } from "./HookForm.tsx"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { Secret } from "./Secret.tsx"
import { TriggerList } from "./TriggerList.tsx"
import { triggerActs, useTriggers } from "./useTriggers.ts"

export type TriggerPageProps = {
  readonly parlor: Parlor
  /** The agent one came from: new ones are for it. */
  readonly from: string
  readonly onRefused: () => void
}

/** What happens by itself: to see, to pause, to fire once, to delete (TRG-7). */
export function TriggerPage({ parlor, from, onRefused }: TriggerPageProps) {
  const [open, setOpen] = useState<"schedule" | "hook">()
  const [made, setMade] = useState<{ readonly url: string; readonly secret: string }>()
  const { items, note, reload, act } = useTriggers(parlor, onRefused)
  const acts = useMemo(() => triggerActs(parlor, act), [parlor, act])
  const close = () => setOpen(undefined)
  return (
    <main className="flex min-w-0 flex-1 flex-col">
      <header className="flex h-13 shrink-0 items-center gap-3 border-line border-b px-5 max-md:px-3">
        <a href={addressOf(from)} aria-label={`Back to ${from}`} className="rounded-md p-1.5 text-muted hover:text-ink">
          <ArrowLeft aria-hidden className="size-4" />
        </a>
        <h1 className="mr-auto font-semibold">Triggers</h1>
        <Button onClick={() => setOpen("schedule")}>
          <Plus aria-hidden className="size-3.5" /> Schedule
        </Button>
        <Button onClick={() => setOpen("hook")}>
          <Plus aria-hidden className="size-3.5" /> Webhook
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-read px-5 py-5 max-md:px-3">
          {note !== undefined && (
            <div className="flex items-start gap-2">
              <Alert note={note} className="flex-1" />
              <Button onClick={reload}>Try again</Button>
            </div>
          )}
          {open === "schedule" && (
            <ScheduleForm agent={from} onMake={(body) => act(() => parlor.schedules.make(body))} onClose={close} />
          )}
          {open === "hook" && (
            <HookForm
              agent={from}
              onMake={(hook) => act(async () => setMade(await parlor.hooks.make({ agent: from, ...hook })))}
              onClose={close}
            />
          )}
          {made !== undefined && <Secret {...made} onClose={() => setMade(undefined)} />}
          <TriggerList items={items} acts={acts} />
        </div>
      </div>
    </main>
  )
}
