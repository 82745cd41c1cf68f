/**
 * The trusted definition of each tool, by server: the first one seen, or the one that somebody with the scope `manage`
 * pinned. What a person allowed is stored separately and counts for that person only (SEC-28).
 *
 * Stored in two files in the data folder. An unreadable file is an error: treating it as empty would trust every
 * current definition.
 */
import { existsSync, readFileSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { dirname, join } from "node:path"
import { z } from "zod"

export interface Pins {
  /** Whether the server's tools were seen before. */
  isKnown(server: string): boolean
  /** The hash that is trusted for everyone. */
  hashOf(server: string, tool: string): string | undefined
  /** For everyone. Takes effect immediately; durable when it resolves. */
  pin(server: string, hashes: Readonly<Record<string, string>>): Promise<void>
  /** The hash that this person allowed last. */
  allowedHash(person: string, server: string, tool: string): string | undefined
  /** For this person. Takes effect immediately; durable when it resolves. */
  allow(person: string, server: string, tool: string, hash: string): Promise<void>
  forgetPerson(person: string): Promise<void>
}

type Hashes = Record<string, Record<string, string>>

const hashes = z.record(z.string(), z.record(z.string(), z.string()))
/** People. Above this, the oldest is dropped and will be asked again. */
const MAX_ALLOWED = 10_000

export function openPins(file: string): Pins {
  const allowedFile = join(dirname(file), "mcp-allowed.json")
  return pinsOf(
    { pinned: read(file), allowed: read(allowedFile) },
    { pinned: (now) => write(file, now), allowed: (now) => write(allowedFile, now) },
  )
}

/** Not stored. */
export function memoryPins(): Pins {
  return pinsOf({ pinned: {}, allowed: {} }, { pinned: async () => {}, allowed: async () => {} })
}

type Save = (now: Hashes) => Promise<void>

function pinsOf(
  first: { readonly pinned: Hashes; readonly allowed: Hashes },
  save: { readonly pinned: Save; readonly allowed: Save },
): Pins {
  const pinned = keptIn(first.pinned, save.pinned)
  // By person, then by server and tool. People are in the order in which they last allowed something.
  const allowed = keptIn(first.allowed, save.allowed)
  const toolKey = (server: string, tool: string) => `${server} ${tool}`
  return {
    isKnown: (server) => pinned.of(server) !== undefined,
    hashOf: (server, tool) => ownField(pinned.of(server), tool),
    pin: (server, added) => pinned.put(server, added),
    allowedHash: (person, server, tool) => ownField(allowed.of(person), toolKey(server, tool)),
    allow: (person, server, tool, hash) => allowed.put(person, { [toolKey(server, tool)]: hash }, MAX_ALLOWED),
    forgetPerson: (person) => allowed.drop(person),
  }
}

/** A map of maps that saves its changes in order. */
function keptIn(first: Hashes, save: Save) {
  let now = new Map(Object.entries(first))
  let saved: Promise<void> = Promise.resolve()
  const keep = (): Promise<void> => {
    const text = Object.fromEntries(now)
    saved = saved.catch(() => {}).then(() => save(text))
    return saved
  }
  return {
    of: (name: string) => now.get(name),
    put(name: string, added: Readonly<Record<string, string>>, most = Number.POSITIVE_INFINITY): Promise<void> {
      const others = [...now].filter(([other]) => other !== name).slice(-(most - 1))
      now = new Map([...others, [name, { ...now.get(name), ...added }]])
      return keep()
    },
    drop(name: string): Promise<void> {
      return now.delete(name) ? keep() : saved
    },
  }
}

function ownField(fields: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
}

function read(file: string): Hashes {
  if (!existsSync(file)) return {}
  try {
    return hashes.parse(JSON.parse(readFileSync(file, "utf8")))
  } catch (error) {
    throw new Error(`${file} cannot be read. Delete it to trust the current tools of all MCP servers.`, {
      cause: error,
    })
  }
}

async function write(file: string, now: Hashes): Promise<void> {
  const beside = `${file}.new`
  const handle = await open(beside, "w", 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(now, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(beside, file)
}
