import type { Parlor } from "@parlor/client"
import { Bell, CalendarClock, Plus, Webhook } from "lucide-react"
import { useMemo, useState } from "react"
import { t } from "../../texts/en/trigger.ts"
import { Button } from "../../ui/Button.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { Refused } from "../list/Refused.tsx"
import { addressOf } from "../place/place.ts"
import { HookForm } from "./HookForm.tsx"
import { McpServers } from "./McpServers.tsx"
import { NoticeForm } from "./NoticeForm.tsx"
import { ScheduleForm } from "./ScheduleForm.tsx"
import { Secret } from "./Secret.tsx"
import { TriggerList } from "./TriggerList.tsx"
import { triggerActs, useTriggers } from "./useTriggers.ts"

export type TriggerPageProps = {
  readonly parlor: Parlor
  /** The conversation to go back to. New triggers are created for it. */
  readonly agent: string
  readonly branch: string
  readonly onRefused: () => void
}

/** The triggers: list, pause, fire and delete (TRG-7). */
export function TriggerPage({ parlor, agent, branch, onRefused }: TriggerPageProps) {
  const [open, setOpen] = useState<"schedule" | "hook" | "notice">()
  const [made, setMade] = useState<{ readonly url: string; readonly secret: string }>()
  const { items, note, reload, act } = useTriggers(parlor, onRefused)
  const acts = useMemo(() => triggerActs(parlor, act), [parlor, act])
  const close = () => setOpen(undefined)
  return (
    <PageFrame
      title={t("triggers")}
      back={{ href: addressOf(agent, branch), to: agent }}
      actions={
        <Menu
          items={[
            { label: t("schedule"), icon: CalendarClock, onChoose: () => setOpen("schedule") },
            { label: t("webhook"), icon: Webhook, onChoose: () => setOpen("hook") },
            { label: t("outgoingWebhook"), icon: Bell, onChoose: () => setOpen("notice") },
          ]}
        >
          <Button>
            <Plus aria-hidden className="size-3.5" /> {t("new")}
          </Button>
        </Menu>
      }
    >
      <Refused note={note} onRetry={reload} />
      {open === "schedule" && (
        <ScheduleForm
          agent={agent}
          onMake={(body) => act(() => parlor.schedules.make({ ...body, branch }))}
          onClose={close}
        />
      )}
      {open === "hook" && (
        <HookForm
          agent={agent}
          onMake={(hook) => act(async () => setMade(await parlor.hooks.make({ agent, branch, ...hook })))}
          onClose={close}
        />
      )}
      {open === "notice" && (
        <NoticeForm onMake={(body) => act(async () => setMade(await parlor.notices.make(body)))} onClose={close} />
      )}
      {made !== undefined && <Secret {...made} onClose={() => setMade(undefined)} />}
      <TriggerList items={items} acts={acts} />
      <McpServers parlor={parlor} />
    </PageFrame>
  )
}
