import type { BodyInputOf } from "@parlor/protocol"
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { FormFrame } from "./FormFrame.tsx"
import { emptySchedule, repeats, repeatWords, type ScheduleDraft, scheduleOf, weekdays } from "./triggerView.ts"

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
    <FormFrame label="New schedule" onSubmit={submit}>
      <Field label={`Message for ${agent}`}>
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
        <Field label="Repeat" hint={repeatWords(draft)}>
          {(props) => (
            <select
              {...props}
              name="kind"
              value={draft.kind}
              onChange={({ target }) => set({ kind: target.value as ScheduleDraft["kind"] })}
            >
              <option value="weekdays">Every weekday</option>
              <option value="days">Every day</option>
              <option value="weeks">Every week</option>
              <option value="months">Every month</option>
              <option value="at">Once</option>
              <option value="every">Every few minutes</option>
              <option value="cron">Advanced: cron pattern</option>
            </select>
          )}
        </Field>
        <When draft={draft} timeZone={timeZone} set={set} />
        <Field label="Missed runs">
          {(props) => (
            <select
              {...props}
              name="missed"
              value={draft.missed}
              onChange={({ target }) => set({ missed: target.value as ScheduleDraft["missed"] })}
            >
              <option value="once">run once</option>
              <option value="skip">skip</option>
              <option value="all">run all</option>
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
          Create
        </Button>
        <Button onClick={onClose}>Cancel</Button>
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
      <Field label="At">
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
      <Field label="Minutes">
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
    <Field label={`Minute hour day month weekday, ${timeZone}`}>
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
        <Field label="Day">
          {(props) => (
            <select
              {...props}
              name="weekday"
              value={draft.weekday}
              onChange={({ target }) => set({ weekday: target.value })}
            >
              {weekdays.map((name, index) => (
                <option key={name} value={String(index)}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {draft.kind === "months" && (
        <Field label="Day">
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
      <Field label="Time">
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
