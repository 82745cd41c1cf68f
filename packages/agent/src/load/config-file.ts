/**
 * Loads parlor.config.ts and its imports from disk, without a build.
 *
 * Parlor's packages and zod always resolve to the server's copies, whatever is installed next to the file. So a config
 * works in any folder with nothing installed, and its objects are instances of the classes that the server checks for.
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
  /** The file and its imports, without packages. */
  readonly files: readonly string[]
}

/** The file named by `PARLOR_CONFIG`, or the one in this folder; undefined if there is none. */
export function findConfig(folder: string, env: Env): string | undefined {
  const named = env.PARLOR_CONFIG?.trim()
  if (!named) return NAMES.map((name) => join(folder, name)).find((file) => existsSync(file))
  const file = resolve(folder, named)
  if (existsSync(file)) return file
  throw new ConfigError(`PARLOR_CONFIG names ${file}, which does not exist.`)
}

/** Rejects with a `BrokenConfig` if the file cannot be loaded. */
export class BrokenConfig extends ConfigError {
  /** The files loaded before the error: a change in one of them may fix it. */
  readonly files: readonly string[]

  constructor(message: string, files: readonly string[], options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = "BrokenConfig"
    this.files = files
  }
}

/** The imports of each config file when it was last loaded. */
const brought = new Map<string, readonly string[]>()

export async function importConfig(file: string): Promise<ImportedConfig> {
  // Imported on demand: a server without a config does not need the loader.
  const { createJiti } = await import("jiti")
  const jiti = createJiti(pathToFileURL(file).href, {
    virtualModules: ownModules,
    alias: testingAlias(),
    fsCache: false,
    interopDefault: false,
    tryNative: false,
  })
  // The module cache is shared by the process and would return the files of an earlier load.
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

/** Resolved from the server's own installation, whoever imports it. */
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
