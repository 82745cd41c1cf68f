/** Exporting a person (SEC-41), and deleting one (SEC-25): another person with `manage`, yourself by repeating your name. */
import { Refusal } from "@parlor/protocol"
import { checkOwner } from "../auth/caller.ts"
import { checkSpeaksFor } from "../auth/names.ts"
import { entriesOf } from "../person-export/entries.ts"
import type { Call, RawBytes, Services } from "../services.ts"

export const handlers = { deletePerson, exportPerson, listPeople }

async function listPeople({ runtime }: Services, { caller, query }: Call<"listPeople">) {
  checkOwner(caller)
  return runtime.people(query)
}

/** SEC-41. */
async function exportPerson(services: Services, { caller, params }: Call<"exportPerson">): Promise<RawBytes> {
  const { runtime, names, clock } = services
  const person = await names.personOf(params.person)
  if (person !== caller.person) {
    if (!caller.scopes.includes("manage"))
      throw new Refusal("auth.forbidden", 'Exporting the data of another person needs the scope "manage".', "person")
    checkSpeaksFor(caller, person, "person")
    const { stored, conversations } = await runtime.usage(person, 1)
    if (stored.used === 0 && conversations.used === 0)
      throw new Refusal("person.unknown", `Nothing is stored for ${JSON.stringify(person)}.`, "person")
  }
  const at = new Date(clock.now())
  const { zipOf } = await import("../person-export/zip.ts")
  const bytes = zipOf(entriesOf(services, person), at)
  return { bytes, mediaType: "application/zip", name: `parlor-${at.toISOString().slice(0, 10)}.zip` }
}

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
