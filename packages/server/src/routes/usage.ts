/** Usage and limits of a person (SEC-20). Reading another person's needs `manage` and the right to act for them. */
import { Refusal } from "@parlor/protocol"
import { checkOwner } from "../auth/caller.ts"
import { checkSpeaksFor } from "../auth/names.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { readUsage, readUsageTotals }

async function readUsage({ runtime, names }: Services, { caller, query }: Call<"readUsage">) {
  const { person: named, days } = query
  if (named === undefined) return runtime.usage(caller.person, days)
  const person = await names.personOf(named)
  if (person !== caller.person) {
    if (!caller.scopes.includes("manage"))
      throw new Refusal("auth.forbidden", 'Reading the usage of another person needs the scope "manage".', "person")
    checkSpeaksFor(caller, person, "person")
  }
  return runtime.usage(person, days)
}

async function readUsageTotals({ runtime }: Services, { caller, query }: Call<"readUsageTotals">) {
  checkOwner(caller)
  return runtime.usageTotals(query)
}
