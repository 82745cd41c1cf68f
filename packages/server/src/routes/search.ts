import type { Call, Services } from "../services.ts"

export const handlers = { search }

async function search({ runtime }: Services, call: Call<"search">) {
  return { hits: [...(await runtime.search(call.caller.person, call.query))] }
}
