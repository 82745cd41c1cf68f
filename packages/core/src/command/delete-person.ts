/**
 * Deletes a person with all their data (SEC-11, SEC-25).
 *
 * A mark in the store comes first: from then on no node can create anything under the name. Then the conversations are
 * deleted one after another, which ends their turns and streams on every node, then the feed, then the rest. Every node
 * looks for marks: it clears what it keeps of that person outside the store, and continues a deletion that a dead node
 * left. Every step may run twice, and on several nodes at once.
 */
import { Refusal } from "@parlor/protocol"
import { forgetFeed } from "../log/address.ts"
import { Fenced } from "../log/decide.ts"
import { reasonFields } from "../ports/log.ts"
import type { Stream } from "../ports/store.ts"
import { clearFolder } from "../workspace/disk.ts"
import type { CommandAccess } from "./command-access.ts"

const STREAMS_AT_ONCE = 100
/** Minimum number of sweeps that a mark stays after everything is deleted. */
const LINGER_SWEEPS = 5
const SLICES = 100_000

const PERSON_DELETED = "person.deleted"

/** `by`: who requested it. */
export async function deletePerson(node: CommandAccess, person: string, by: string): Promise<void> {
  const audit = { at: node.clock.now(), person: by, act: PERSON_DELETED, subject: person }
  const begun = await node.store.deletions.begin(person, audit)
  if (begun === "nothing" || (begun === "running" && (await isDone(node, person))))
    throw new Refusal("person.unknown", `Nothing is stored for ${JSON.stringify(person)}.`)
  await carryOut(node, person)
}

/** Deletions that other nodes started, or left when they died. */
export async function sweepDeletions(node: CommandAccess): Promise<void> {
  const marked = await node.store.deletions.all()
  for (const { person, isDone: done } of marked)
    try {
      if (done) await clearHere(node, person)
      else await carryOut(node, person)
    } catch (error) {
      node.log.warn("could not delete a person", reasonFields(error))
    }
  if (marked.length === 0) node.clearedPeople.clear()
  else await node.store.deletions.end(Math.max(node.settings.deletionMarkMs, LINGER_SWEEPS * node.settings.sweepMs))
}

async function carryOut(node: CommandAccess, person: string): Promise<void> {
  for (const { address, current } of node.drives.values())
    if (address.person === person) current?.abort.abort(new Fenced())
  for (;;) {
    const streams = await node.store.log.streamsOf(person, STREAMS_AT_ONCE)
    if (streams.length === 0) break
    for (const stream of streams) await removeStream(node, stream)
  }
  for (let slice = 0; slice < SLICES; slice++) {
    // Not the rest of a person before all of their conversations: whoever else deletes them needs the mark.
    await node.store.log.freeSlice()
    if (await node.store.deletions.slice(person)) break
  }
  node.clearedPeople.delete(person)
  await clearHere(node, person)
}

async function removeStream(node: CommandAccess, { id, key }: Stream): Promise<void> {
  if (key.kind === "conversation") await clearFolder(node, id)
  await node.store.log.remove(id, {})
  if (key.kind === "conversation") node.cache.remove(id, key)
  // Followers check the stream and see that it is gone.
  node.hub.publish(id, [])
}

/** Clears what this process keeps outside the store. Once per mark, unless it fails. */
async function clearHere(node: CommandAccess, person: string): Promise<void> {
  const cleared = node.clearedPeople
  if (cleared.has(person)) return
  forgetFeed(node, person)
  await node.files?.clearPerson(person)
  await node.toolsets?.forgetPerson(person)
  cleared.add(person)
}

async function isDone(node: CommandAccess, person: string): Promise<boolean> {
  return (await node.store.deletions.all()).some((one) => one.person === person && one.isDone)
}
