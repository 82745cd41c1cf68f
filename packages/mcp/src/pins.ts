/**
 * Which definition of each tool is trusted, by server: the first that was seen, or the last that a person allowed.
 *
 * Kept in a file of the data folder. One that cannot be read is an error and not an empty one: else whoever breaks it
 * would have every definition trusted anew.
 */
import { existsSync, readFileSync } from "node:fs"
import { open, rename } from "node:fs/promises"
import { z } from "zod"

export interface Pins {
  /** The server's tools were seen before. */
  isKnown(server: string): boolean
  hashOf(server: string, tool: string): string | undefined
  /** In force at once; durable when it resolves. */
  pin(server: string, hashes: Readonly<Record<string, string>>): Promise<void>
}

type Kept = Record<string, Record<string, string>>

const kept = z.record(z.string(), z.record(z.string(), z.string()))

export function openPins(file: string): Pins {
  return pinsOf(read(file), (now) => write(file, now))
}

/** Forgotten with the process. */
export function memoryPins(): Pins {
  return pinsOf({}, async () => {})
}

function pinsOf(first: Kept, save: (now: Kept) => Promise<void>): Pins {
  let now = first
  let saved: Promise<void> = Promise.resolve()
  const of = (server: string) => (Object.hasOwn(now, server) ? now[server] : undefined)
  return {
    isKnown: (server) => of(server) !== undefined,
    hashOf(server, tool) {
      const tools = of(server)
      return tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined
    },
    pin(server, hashes) {
      now = { ...now, [server]: { ...of(server), ...hashes } }
      saved = saved.catch(() => {}).then(() => save(now))
      return saved
    },
  }
}

function read(file: string): Kept {
  if (!existsSync(file)) return {}
  try {
    return kept.parse(JSON.parse(readFileSync(file, "utf8")))
  } catch (error) {
    throw new Error(`${file} cannot be read. Delete it to trust the tools of all MCP servers as they are now.`, {
      cause: error,
    })
  }
}

async function write(file: string, now: Kept): Promise<void> {
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
