import { BY_PERSON } from "@parlor/core"
import { type MemoryScope, Refusal } from "@parlor/protocol"
import type { Caller } from "../auth/caller.ts"
import type { Call, Services } from "../services.ts"

export const handlers = { listMemories, readMemory, writeMemory, deleteMemory }

async function listMemories({ runtime }: Services, call: Call<"listMemories">) {
  const { scope, q } = call.query
  return { memories: [...(await runtime.listMemories(call.caller.person, { scope, query: q }))] }
}

async function readMemory({ runtime }: Services, call: Call<"readMemory">) {
  return { memory: await runtime.readMemory(call.caller.person, call.params) }
}

async function writeMemory({ runtime }: Services, call: Call<"writeMemory">) {
  checkRight(call.caller, call.params.scope)
  const entry = { ...call.params, ...call.body }
  return { memory: await runtime.writeMemory(call.caller.person, entry, BY_PERSON) }
}

async function deleteMemory({ runtime }: Services, call: Call<"deleteMemory">) {
  const { scope, name } = call.params
  checkRight(call.caller, scope)
  if (!(await runtime.deleteMemory(call.caller.person, { scope, name })))
    throw new Refusal("memory.unknown", `There is no memory "${name}" in the scope ${scope}.`)
}

/** Project memories are shown to everyone, so not everyone may change them (MEM-5). */
function checkRight(caller: Caller, scope: MemoryScope): void {
  if (scope === "user" || caller.scopes.includes("manage")) return
  throw new Refusal("auth.forbidden", 'Changing project memories needs the scope "manage".')
}
