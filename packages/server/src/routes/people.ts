/** Deleting a person (SEC-25): another one with the right to manage, oneself by saying one's name again. */
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
      throw new Refusal("auth.forbidden", 'Deleting another person needs the right "manage".', "person")
    checkSpeaksFor(caller, person, "person")
    if (linked !== undefined)
      throw new Refusal(
        "person.linked",
        `${JSON.stringify(person)} is another name of someone. Unlink it, or delete that person.`,
      )
  }
  try {
    await runtime.deletePerson(person, caller.person)
  } finally {
    names.forget()
    followers.cutPerson(person)
  }
}

/** A key is a part of a person: it needs the right to manage to delete the whole. */
function checkSelf({ key, scopes }: Call<"deletePerson">["caller"], person: string, confirm: string | undefined): void {
  if (key !== null && !scopes.includes("manage"))
    throw new Refusal("auth.forbidden", 'Deleting yourself by an API key needs the right "manage".', "person")
  if (confirm !== person)
    throw new Refusal(
      "person.confirm",
      `This deletes everything of yours and can't be undone. Pass confirm=${person} to do so.`,
      "confirm",
    )
}
