/**
 * Loads parlor.config.ts and what it imports, as they are on disk now, without a build.
 *
 * Parlor's own packages and zod are the server's own copies, whatever lies beside the file: a config works in any folder
 * with nothing installed, and what it makes is of the same kind as what the server checks for.
 */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve, sep } from "node:path"
import { pathToFileURL } from "node:url"
import * as core from "@parlor/core"
import type { Env } from "@parlor/models"
import * as protocol from "@parlor/protocol"
import * as zod from "zod"
import { ConfigError } from "../config-error.ts"
import * as authoring from "../index.ts"
import { explainBroken } from "./explain-broken.ts"

const NAMES = ["parlor.config.ts", "parlor.config.mts", "parlor.config.js", "parlor.config.mjs"]

export type ImportedConfig = {
  readonly value: unknown
  /** The file and what it imports, packages left out. */
  readonly files: readonly string[]
}

/** The file `PARLOR_CONFIG` names, or the one in this folder. Undefined when there is none. */
export function findConfig(folder: string, env: Env): string | undefined {
  const named = env.PARLOR_CONFIG?.trim()
  if (!named) return NAMES.map((name) => join(folder, name)).find((file) => existsSync(file))
  const file = resolve(folder, named)
  if (existsSync(file)) return file
  throw new ConfigError(`PARLOR_CONFIG names ${file}, which does not exist.`)
}

/** A file that cannot be loaded rejects with a `BrokenConfig`. */
export class BrokenConfig extends ConfigError {
  /** Those that were loaded until then: a change in one may mend it. */
  readonly files: readonly string[]

  constructor(message: string, files: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = "BrokenConfig"
    this.files = files
  }
}

/** What each config file brought with it when it was last loaded. */
const brought = new Map<string, readonly string[]>()

export async function importConfig(file: string): Promise<ImportedConfig> {
  // A server without a config does without the loader.
  const { createJiti } = await import("jiti")
  const jiti = createJiti(pathToFileURL(file).href, {
    virtualModules: ownModules,
    alias: testingAlias(),
    fsCache: false,
    interopDefault: false,
    tryNative: false,
  })
  // The cache is the process's own: what an earlier load left there is what was on disk then.
  for (const known of brought.get(file) ?? []) delete jiti.cache[known]
  const before = new Set(Object.keys(jiti.cache))
  const files = () => {
    const fresh = Object.keys(jiti.cache).filter((path) => !before.has(path) && !isPackage(path))
    const all = [...new Set([file, ...fresh])]
    brought.set(file, all)
    return all
  }
  try {
    const module = await jiti.import<{ readonly default?: unknown }>(file)
    return { value: module.default, files: files() }
  } catch (error) {
    const loaded = files()
    throw new BrokenConfig(explainBroken(error, file, loaded), loaded, { cause: error })
  }
}

const ownModules = {
  "@parlor/agent": authoring,
  "@parlor/core": core,
  "@parlor/protocol": protocol,
  zod,
  "zod/v4": zod,
}

/** Loaded by whoever imports it, where the server has it. */
function testingAlias(): Record<string, string> {
  try {
    return { "@parlor/testing": createRequire(import.meta.url).resolve("@parlor/testing") }
  } catch {
    return {}
  }
}

function isPackage(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`)
}
