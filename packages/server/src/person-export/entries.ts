/**
 * Everything of a person as files (SEC-41): conversations as exports that can be imported again, and the rest as JSON or
 * as it was uploaded. No secret is among them (SEC-8): only hashes of keys are stored, of webhooks neither secrets nor
 * addresses are written, and of notified browsers neither addresses nor keys.
 *
 * Each file is read while it is written, a page at a time, so that the size of an account does not matter.
 */
import { type AttachmentPlace, hookView } from "@parlor/core"
import { type Address, type FeedRow, type HookView, limits, Refusal } from "@parlor/protocol"
import { keyView } from "../auth/key-view.ts"
import type { Services } from "../services.ts"
import { fileName } from "./file-name.ts"

type Piece = string | Uint8Array
export type Entry = { readonly path: string; readonly pieces: AsyncIterable<Piece> }

type Reading = Pick<Services, "runtime" | "store" | "clock" | "version">

const PAGE = 100

const README = `Everything that Parlor stores for you.

account.json     your name, linked names, API keys (without their secrets), settings, permissions, what you share,
                 browsers that are notified, and usage
memories.jsonl   what agents remember about you
triggers.json    your schedules, webhooks and outgoing webhooks
attachments/     the files you attached
conversations/   each conversation with its files, as JSON Lines. To import one into another Parlor:
                 parlor import conversations/host/main.jsonl --agent host
files/           the files of each conversation, as they are now
`

export async function* entriesOf(reading: Reading, person: string): AsyncGenerator<Entry> {
  yield { path: "README.txt", pieces: once(async () => README) }
  yield { path: "account.json", pieces: once(() => accountOf(reading, person)) }
  yield { path: "memories.jsonl", pieces: memoriesOf(reading, person) }
  yield { path: "triggers.json", pieces: once(() => triggersOf(reading, person)) }
  yield* attachmentsOf(reading, person)
  for await (const { agent, branch } of conversationsOf(reading, person)) {
    const address = { person, agent, branch }
    const place = `${fileName(agent)}/${fileName(branch)}`
    yield { path: `conversations/${place}.jsonl`, pieces: untilDeleted(linesOf(reading, address)) }
    yield* filesOf(reading, address, `files/${place}`)
  }
}

async function accountOf({ runtime, store, clock, version }: Reading, person: string): Promise<string> {
  const links = await store.links.list({ person }, { after: "", limit: limits.linkedNames })
  return json({
    parlor: version,
    person,
    exportedAt: new Date(clock.now()).toISOString(),
    linkedNames: links.filter((link) => link.person === person).map(({ name }) => name),
    keys: (await store.keys.of(person)).map(keyView),
    shares: await runtime.listShares(person, {}),
    notifiedBrowsers: await runtime.listPush(person),
    preferences: (await runtime.readPreferences(person)).preferences,
    alwaysAllowed: await runtime.listGrants(person),
    usage: await runtime.usage(person, limits.usageDays),
  })
}

async function* memoriesOf({ store }: Reading, person: string): AsyncGenerator<Piece> {
  for (const { scope, name } of await store.memories.index(person)) {
    const memory = scope === "user" ? await store.memories.get(person, scope, name) : undefined
    if (memory !== undefined) yield `${JSON.stringify(memory)}\n`
  }
}

async function triggersOf({ runtime }: Reading, person: string): Promise<string> {
  return json({
    schedules: await runtime.listSchedules(person, {}),
    webhooks: (await runtime.listHooks(person)).map(({ hook, last }) => withoutAddress(hookView(hook, "", last))),
    outgoingWebhooks: await runtime.listNotices(person),
  })
}

/** Who knows the address of a webhook may call it, so it is a secret too. */
function withoutAddress({ id: _, url: __, ...hook }: HookView) {
  return hook
}

async function* attachmentsOf({ store }: Reading, person: string): AsyncGenerator<Entry> {
  for (let after: AttachmentPlace | undefined; ; ) {
    const page = await store.blobs.attachments(person, { limit: PAGE, ...(after && { after }) })
    for (const { hash, name } of page) {
      const path = `attachments/${hash.slice(0, 12)}-${fileName(name)}`
      yield { path, pieces: once(async () => (await store.blobs.get(hash)) ?? "") }
    }
    after = page.at(-1)
    if (page.length < PAGE) return
  }
}

/** Archived ones and side chats too. */
async function* conversationsOf({ runtime }: Reading, person: string): AsyncGenerator<FeedRow> {
  for (const archived of [false, true])
    for (const ephemeral of [false, true])
      for (let cursor: string | undefined; ; ) {
        const page = await runtime.list(person, { agent: undefined, archived, ephemeral, cursor, limit: PAGE })
        yield* page.conversations
        if (page.cursor === null) break
        cursor = page.cursor
      }
}

async function* linesOf({ runtime }: Reading, address: Address): AsyncGenerator<Piece> {
  for await (const line of runtime.exportLines(address)) yield `${line}\n`
}

async function* filesOf({ runtime }: Reading, address: Address, folder: string): AsyncGenerator<Entry> {
  for await (const { path } of untilDeleted(listOf(() => runtime.files(address, { at: undefined })))) {
    const read = async () => (await runtime.readFile(address, path, { at: undefined })).content
    yield { path: `${folder}/${path.split("/").map(fileName).join("/")}`, pieces: untilDeleted(once(read)) }
  }
}

/** What is deleted during the export is left out. */
async function* untilDeleted<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    if (error instanceof Refusal && /^(?:conversation|file|agent)\.unknown$/.test(error.code)) return
    throw error
  }
}

async function* listOf<T>(read: () => Promise<readonly T[]>): AsyncGenerator<T> {
  yield* await read()
}

async function* once<T>(read: () => Promise<T>): AsyncGenerator<T> {
  yield await read()
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
