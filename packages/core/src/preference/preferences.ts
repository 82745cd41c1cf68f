/** What people set for themselves (SET-5). */
import { type PreferencesView, Refusal } from "@parlor/protocol"
import type { PersonPreferences } from "../ports/preferences.ts"

export type PreferenceHome = { readonly store: { readonly preferences: PersonPreferences } }

export async function readPreferences({ store }: PreferenceHome, person: string): Promise<PreferencesView> {
  const found = await store.preferences.read(person)
  return { preferences: found?.value ?? {}, version: found?.version ?? 0 }
}

export async function writePreferences(
  { store }: PreferenceHome,
  person: string,
  { preferences, version }: PreferencesView,
): Promise<PreferencesView> {
  const next = { value: preferences, version: version + 1 }
  if (!(await store.preferences.write(person, next)))
    throw new Refusal(
      "preferences.changed",
      "Your settings were changed on another device. Read them again, then repeat your change.",
      "/version",
    )
  return { preferences, version: next.version }
}
