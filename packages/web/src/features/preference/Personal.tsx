import type { Parlor } from "@parlor/client"
import type { AgentView, PreferencesView } from "@parlor/protocol"
import { type FormEvent, useCallback, useEffect, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/preference.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { useAsked } from "../list/useList.ts"
import { tellModelsChanged } from "../model/modelsChanged.ts"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { formOf, type PreferenceForm, preferencesOf, problemOf, rebased } from "./form.ts"
import { rememberPreferredAgent } from "./preferredAgent.ts"
import { useOfferedModels } from "./useOfferedModels.ts"

const problems = { wholeNumber: "wholeNumber", amount: "amount" } as const

export type PersonalProps = { readonly parlor: Parlor; readonly agents: readonly AgentView[] }

/** What applies to this person on every device (SET-5). */
export default function Personal({ parlor, agents }: PersonalProps) {
  const read = useCallback(() => parlor.preferences(), [parlor])
  const { answer, note, reload } = useAsked(read)
  if (note !== undefined) return <Alert note={note} />
  if (answer === undefined) return <p className="animate-late text-muted">{common("loading")}</p>
  return <PersonalForm parlor={parlor} agents={agents} stored={answer} onStored={reload} />
}

type PersonalFormProps = PersonalProps & { readonly stored: PreferencesView; readonly onStored: () => Promise<void> }

function PersonalForm({ parlor, agents, stored, onStored }: PersonalFormProps) {
  /** What the form is based on: the newest that was read. */
  const [base, setBase] = useState(stored)
  const [form, setForm] = useState(() => formOf(stored.preferences))
  const [state, setState] = useState<"resting" | "saving" | "saved" | "changed" | Note>("resting")
  const models = useOfferedModels(parlor, agents)
  const problem = problemOf(form)
  const isTouched = JSON.stringify(form) !== JSON.stringify(formOf(base.preferences))
  const adopt = useCallback(
    (newest: PreferencesView) => {
      if (newest.version === base.version) return
      setForm((now) => rebased(now, formOf(base.preferences), formOf(newest.preferences)))
      setBase(newest)
    },
    [base],
  )
  useEffect(() => adopt(stored), [stored, adopt])
  const change = (part: Partial<PreferenceForm>) => {
    setForm({ ...form, ...part })
    setState("resting")
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setState("saving")
    try {
      const saved = await parlor.setPreferences({ preferences: preferencesOf(form), version: base.version })
      setBase(saved)
      setForm(formOf(saved.preferences))
      rememberPreferredAgent(saved.preferences.agent)
      tellModelsChanged()
      setState("saved")
    } catch (error) {
      const why = noteOf(error)
      if (why.code !== "preferences.changed") return setState(why)
      await onStored()
      setState("changed")
    }
  }
  const wrong = (field: keyof PreferenceForm) => (problem?.field === field ? t(problems[problem.why]) : undefined)
  return (
    <form onSubmit={save} className="space-y-4">
      <Field label={t("instructions")} hint={t("instructionsHint")}>
        {(field) => (
          <textarea
            {...field}
            rows={4}
            value={form.instructions}
            placeholder={t("instructionsExample")}
            onChange={(event) => change({ instructions: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("agent")} hint={t("agentHint")}>
        {(field) => (
          <select {...field} value={form.agent} onChange={(event) => change({ agent: event.target.value })}>
            <option value="">{t("firstAgent")}</option>
            {[...new Set([...agents.map(({ name }) => name), ...(form.agent === "" ? [] : [form.agent])])].map(
              (name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ),
            )}
          </select>
        )}
      </Field>
      <Field label={t("model")} hint={t("modelHint")}>
        {(field) => (
          <select {...field} value={form.model} onChange={(event) => change({ model: event.target.value })}>
            <option value="">{t("agentsModel")}</option>
            {[...new Set([...models, ...(form.model === "" ? [] : [form.model])])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("tokensPerDay")} hint={t("budgetHint")} problem={wrong("tokensPerDay")}>
          {(field) => (
            <input
              {...field}
              inputMode="numeric"
              value={form.tokensPerDay}
              onChange={(event) => change({ tokensPerDay: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("dollarsPerDay")} hint={t("budgetHint")} problem={wrong("dollarsPerDay")}>
          {(field) => (
            <input
              {...field}
              inputMode="decimal"
              value={form.dollarsPerDay}
              onChange={(event) => change({ dollarsPerDay: event.target.value })}
            />
          )}
        </Field>
      </div>
      {typeof state === "object" && <Alert note={state} />}
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className={state === "changed" ? "mr-auto text-warn" : "mr-auto text-muted"}>
          {state === "changed" ? t("changedElsewhere") : state === "saved" ? t("saved") : t("everyDevice")}
        </p>
        <Button look="main" type="submit" disabled={!isTouched || problem !== undefined || state === "saving"}>
          {common("save")}
        </Button>
      </div>
    </form>
  )
}
