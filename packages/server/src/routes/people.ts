/** Deleting a person (SEC-25): another person with `manage`, yourself by repeating your name. */
import { Refusal } from "@parlor/protocol"
import { checkSpeaksFor } from "../auth/names.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { deletePerson }

async function deletePerson(services: Services, { caller, params, query }: Call<"deletePerson">): Promise<void> {
  const { runtime, names, followers } = services
  const { person } = params
  const linked = (await names.linkedAmong([person])).get(person)
  if (person === caller.person) checkSelf(caller, person, query.confirm)
  else {
    if (!caller.scopes.includes("manage"))
      throw new Refusal("auth.forbidden", 'Deleting another person needs the scope "manage".', "person")
    checkSpeaksFor(caller, person, "person")
    if (linked !== undefined)
      throw new Refusal(
        "person.linked",
        `${JSON.stringify(person)} is a linked name. Unlink it, or delete the person it is linked to.`,
      )
  }
  try {
    await runtime.deletePerson(person, caller.person)
  } finally {
    names.forget()
    followers.cutPerson(person)
  }
}

/** A key needs `manage` to delete its own person. */
function checkSelf({ key, scopes }: Call<"deletePerson">["caller"], person: string, confirm: string | undefined): void {
  if (key !== null && !scopes.includes("manage"))
    throw new Refusal("auth.forbidden", 'Deleting yourself with an API key needs the scope "manage".', "person")
  if (confirm !== person)
    throw new Refusal(
      "person.confirm",
      `This deletes all your data and can't be undone. Pass confirm=${person} to confirm.`,
      "confirm",
    )
}
