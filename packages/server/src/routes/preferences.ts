import type { Call, Services } from "../services.ts"

export const handlers = { readPreferences, writePreferences }

async function readPreferences({ runtime }: Services, { caller }: Call<"readPreferences">) {
  return runtime.readPreferences(caller.person)
}

async function writePreferences({ runtime }: Services, { caller, body }: Call<"writePreferences">) {
  return runtime.writePreferences(caller.person, body)
}
