import type { BodyInputOf } from "@parlor/protocol"
import { type FormEvent, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/trigger.ts"
import { weekdayText } from "../../texts/format.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { FormFrame } from "./FormFrame.tsx"
import {
  emptySchedule,
  repeats,
  repeatWords,
  type ScheduleDraft,
  scheduleKinds,
  scheduleOf,
  weekdays,
} from "./triggerView.ts"

export type ScheduleFormProps = {
  readonly agent: string
  /** Resolves to whether it was accepted. */
  readonly onMake: (body: BodyInputOf<"makeSchedule">) => Promise<boolean>
  readonly onClose: () => void
}

export function ScheduleForm({ agent, onMake, onClose }: ScheduleFormProps) {
  const [draft, setDraft] = useState(emptySchedule)
  const [wrong, setWrong] = useState<string>()
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const set = (change: Partial<ScheduleDraft>) => setDraft({ ...draft, ...change })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const made = scheduleOf(draft, agent, timeZone)
    if ("wrong" in made) return setWrong(made.wrong)
    setWrong(undefined)
    if (await onMake(made.body)) onClose()
  }
  return (
    <FormFrame label={t("newSchedule")} onSubmit={submit}>
      <Field label={t("messageFor", { agent })}>
        {(props) => (
          <textarea
            {...props}
            name="text"
            rows={2}
            value={draft.text}
            onChange={({ target }) => set({ text: target.value })}
          />
        )}
      </Field>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <Field label={t("repeat")} hint={repeatWords(draft)}>
          {(props) => (
            <select
              {...props}
              name="kind"
              value={draft.kind}
              onChange={({ target }) => set({ kind: target.value as ScheduleDraft["kind"] })}
            >
              {scheduleKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(kind)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <When draft={draft} timeZone={timeZone} set={set} />
        <Field label={t("missedRuns")}>
          {(props) => (
            <select
              {...props}
              name="missed"
              value={draft.missed}
              onChange={({ target }) => set({ missed: target.value as ScheduleDraft["missed"] })}
            >
              <option value="once">{t("runOnce")}</option>
              <option value="skip">{t("skip")}</option>
              <option value="all">{t("runAll")}</option>
            </select>
          )}
        </Field>
      </div>
      {wrong !== undefined && (
        <p role="alert" className="text-bad">
          {wrong}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="main" type="submit">
          {t("create")}
        </Button>
        <Button onClick={onClose}>{common("cancel")}</Button>
      </div>
    </FormFrame>
  )
}

type WhenProps = {
  readonly draft: ScheduleDraft
  readonly timeZone: string
  readonly set: (change: Partial<ScheduleDraft>) => void
}

function When({ draft, timeZone, set }: WhenProps) {
  if (repeats.some((one) => one === draft.kind)) return <DayTime draft={draft} set={set} />
  if (draft.kind === "at")
    return (
      <Field label={t("atTime")}>
        {(props) => (
          <input
            {...props}
            name="at"
            type="datetime-local"
            value={draft.at}
            onChange={({ target }) => set({ at: target.value })}
          />
        )}
      </Field>
    )
  if (draft.kind === "every")
    return (
      <Field label={t("minutes")}>
        {(props) => (
          <input
            {...props}
            name="every"
            inputMode="decimal"
            value={draft.every}
            onChange={({ target }) => set({ every: target.value })}
          />
        )}
      </Field>
    )
  return (
    <Field label={t("cronFields", { timeZone })}>
      {(props) => (
        <input
          {...props}
          name="cron"
          value={draft.cron}
          onChange={({ target }) => set({ cron: target.value })}
          autoComplete="off"
        />
      )}
    </Field>
  )
}

/** The time of the day, and for weeks and months the day. */
function DayTime({ draft, set }: Omit<WhenProps, "timeZone">) {
  const days = Array.from({ length: 28 }, (_, index) => String(index + 1))
  return (
    <div className="grid grid-cols-2 gap-3 has-[>:only-child]:grid-cols-1">
      {draft.kind === "weeks" && (
        <Field label={t("day")}>
          {(props) => (
            <select
              {...props}
              name="weekday"
              value={draft.weekday}
              onChange={({ target }) => set({ weekday: target.value })}
            >
              {weekdays.map((day) => (
                <option key={day} value={String(day)}>
                  {weekdayText(day)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {draft.kind === "months" && (
        <Field label={t("day")}>
          {(props) => (
            <select {...props} name="day" value={draft.day} onChange={({ target }) => set({ day: target.value })}>
              {days.map((day) => (
                <option key={day} value={day}>
                  {day}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label={t("time")}>
        {(props) => (
          <input
            {...props}
            name="time"
            type="time"
            value={draft.time}
            onChange={({ target }) => set({ time: target.value })}
          />
        )}
      </Field>
    </div>
  )
}
