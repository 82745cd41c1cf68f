/** Memory for an agent's tools and code: for one person, in one conversation, in one agent's name. */
import { type Address, Refusal } from "@parlor/protocol"
import type { MemoryAccess } from "../agent/memory-access.ts"
import type { MemoryScope } from "../ports/memories.ts"
import { deleteMemory, listMemories, type MemoryHome, readMemory, writeMemory } from "./memory.ts"

/**
 * Asks the person whether project memory may be changed. Undefined if there is nobody to ask, or the ask expired.
 */
export type AskToChange = (question: { readonly title: string; readonly detail: string }) => Promise<unknown>

/**
 * `writer` is the agent that speaks. Project memory changes only in conversations of people who may change it:
 * otherwise anyone could put words into another person's turns (MEM-5). Even there the person decides, because an agent
 * may have been talked into it by a page, a file or a webhook (MEM-10).
 */
export function memoryAccess(
  home: MemoryHome,
  address: Address,
  writer: string,
  askToChange: AskToChange,
): MemoryAccess {
  const { person, agent, branch } = address
  const origin = { by: writer, in: { agent, branch } }
  const mayChange = async (scope: MemoryScope, name: string, detail: string) => {
    if (scope !== "project") return
    if (!home.settings.projectWriters.includes(person))
      throw new Refusal(
        "auth.forbidden",
        "Only people who manage this server can change project memory. Use the scope user instead.",
      )
    const title = `Allow ${writer} to change the project memory "${name}"? All agents read it, for everyone.`
    const answer = await askToChange({ title, detail })
    if (answer === true) return
    throw new Refusal(
      "auth.forbidden",
      answer === undefined
        ? "Changing project memory needs a person's approval, and nobody is there to ask. Continue without it."
        : "The person did not allow this change to project memory.",
    )
  }
  return {
    list: (options) => listMemories(home, person, options),
    read: (name, scope) => readMemory(home, person, { name, scope }),
    async write(entry) {
      await mayChange(entry.scope, entry.name, `${entry.description}\n\n${entry.body}`)
      return writeMemory(home, person, entry, origin)
    },
    delete: (name, scope) =>
      deleteMemory(home, person, { name, scope }, (found) => mayChange(found, name, "It will be deleted.")),
  }
}
