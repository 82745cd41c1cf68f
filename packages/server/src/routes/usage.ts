/** What a person used and may use (SEC-20). Another's is read only by who manages the server and may speak for them. */
import { Refusal } from "@parlor/protocol"
import { checkSpeaksFor } from "../auth/names.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { readUsage }

async function readUsage({ runtime, names }: Services, { caller, query }: Call<"readUsage">) {
  const { person: named, days } = query
  if (named === undefined) return runtime.usage(caller.person, days)
  const person = await names.personOf(named)
  if (person !== caller.person) {
    if (!caller.scopes.includes("manage"))
      throw new Refusal("auth.forbidden", 'Reading the usage of another person needs the right "manage".', "person")
    checkSpeaksFor(caller, person, "person")
  }
  return runtime.usage(person, days)
}
