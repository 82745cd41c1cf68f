import type { Call, Services } from "../services.ts"

export const handlers = { readConfig }

/** Mistakes in the config, for those who can fix them (CLI-8). */
async function readConfig({ config }: Services, { caller }: Call<"readConfig">) {
  return caller.scopes.includes("manage") ? config() : { file: null, problems: [] }
}
