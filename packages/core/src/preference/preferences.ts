/** What people set for themselves (SET-5). */
import { type PreferencesView, Refusal } from "@parlor/protocol"
import type { Agent } from "../agent/agent.ts"
import type { Agents } from "../agent/agent-of.ts"
import { offersOf } from "../agent/choose-model.ts"
import type { PersonPreferences } from "../ports/preferences.ts"

export type PreferenceHome = { readonly store: { readonly preferences: PersonPreferences } }

export async function readPreferences({ store }: PreferenceHome, person: string): Promise<PreferencesView> {
  const found = await store.preferences.read(person)
  return { preferences: found?.value ?? {}, version: found?.version ?? 0 }
}

export async function writePreferences(
  node: PreferenceHome & Agents,
  person: string,
  { preferences, version }: PreferencesView,
): Promise<PreferencesView> {
  const { store } = node
  await checkModel(node, person, preferences.model)
  const next = { value: preferences, version: version + 1 }
  if (!(await store.preferences.write(person, next)))
    throw new Refusal(
      "preferences.changed",
      "Your settings were changed on another device. Read them again, then repeat your change.",
      "/version",
    )
  return { preferences, version: next.version }
}

/** A model that was chosen earlier may have disappeared since: it may stay, so that other settings can be changed. */
async function checkModel(node: PreferenceHome & Agents, person: string, model: string | undefined): Promise<void> {
  if (model === undefined || [...node.agents.values()].some((agent) => isOffered(agent, model))) return
  if ((await readPreferences(node, person)).preferences.model === model) return
  throw new Refusal("model.not-offered", `No agent of this server offers "${model}".`, "/preferences/model")
}

function isOffered(agent: Agent, model: string): boolean {
  return offersOf(agent).some(({ name }) => name === model)
}
