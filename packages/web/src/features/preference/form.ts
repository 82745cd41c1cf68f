/** What a person sets for themselves, as a form. Pure (SET-5). */
import type { Preferences } from "@parlor/protocol"

/** Every field as text, as it stands in its box. */
export type PreferenceForm = {
  readonly instructions: string
  readonly agent: string
  readonly model: string
  readonly tokensPerDay: string
  readonly dollarsPerDay: string
}

export function formOf({ instructions = "", agent = "", model = "", ...budget }: Preferences): PreferenceForm {
  const { tokensPerDay = "", dollarsPerDay = "" } = budget
  return { instructions, agent, model, tokensPerDay: String(tokensPerDay), dollarsPerDay: String(dollarsPerDay) }
}

/** What is empty is not set. */
export function preferencesOf({ instructions, agent, model, ...budget }: PreferenceForm): Preferences {
  const { tokensPerDay, dollarsPerDay } = budget
  return {
    ...(instructions.trim() === "" ? {} : { instructions }),
    ...(agent === "" ? {} : { agent }),
    ...(model === "" ? {} : { model }),
    ...(tokensPerDay.trim() === "" ? {} : { tokensPerDay: Number(tokensPerDay) }),
    ...(dollarsPerDay.trim() === "" ? {} : { dollarsPerDay: Number(dollarsPerDay.replace(",", ".")) }),
  }
}

export type FormProblem = { readonly field: keyof PreferenceForm; readonly why: "wholeNumber" | "amount" }

export function problemOf(form: PreferenceForm): FormProblem | undefined {
  const { tokensPerDay = 1, dollarsPerDay = 1 } = preferencesOf(form)
  if (!Number.isSafeInteger(tokensPerDay) || tokensPerDay < 1) return { field: "tokensPerDay", why: "wholeNumber" }
  if (!(dollarsPerDay >= 0.01)) return { field: "dollarsPerDay", why: "amount" }
  return undefined
}

/** Another device changed the settings: what the person changed here stays, and everything else is as stored now. */
export function rebased(form: PreferenceForm, before: PreferenceForm, now: PreferenceForm): PreferenceForm {
  const keys = Object.keys(form) as (keyof PreferenceForm)[]
  const own = keys.filter((key) => form[key] !== before[key]).map((key) => [key, form[key]])
  return { ...now, ...Object.fromEntries(own) }
}
