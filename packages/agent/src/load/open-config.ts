/**
 * Loads the agents of a config file, and reloads them whenever it changes.
 *
 *   load ──▶ agents ──change on disk──▶ reload ──▶ new agents, callback
 *                 ▲                          └──broken──▶ one log line; the previous agents stay
 *                 └──────────────────────────────────────────┘
 *
 * One load runs at a time; a change during it triggers another one.
 */
import { dirname, extname } from "node:path"
import type { Agent, DeclaredTriggers, Log } from "@parlor/core"
import { ConfigError } from "../config-error.ts"
import { type Config, checkConfig } from "../define-config.ts"
import { BrokenConfig, importConfig } from "./config-file.ts"
import { type ResolveOptions, resolveAgents } from "./resolve-agents.ts"
import { type McpServer, resolveMcp } from "./resolve-mcp.ts"
import { resolveTriggers, secretsIn } from "./resolve-triggers.ts"
import { watchFolders } from "./watch-folders.ts"

const CODE = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"])

export type OpenOptions = Omit<ResolveOptions, "folder"> & {
  readonly file: string
  readonly log: Log
  /** Called after each reload, valid or not. */
  readonly loaded?: (() => void) | undefined
}

type ConfigProblem = { readonly kind: "error" | "warning"; readonly detail: string; readonly at: number }

/** What a server takes over from each load. */
type ConfigParts = {
  readonly agents: readonly Agent[]
  readonly mcp: Readonly<Record<string, McpServer>>
  readonly triggers: DeclaredTriggers
  readonly allowedOrigins: readonly string[]
}

export type OpenedConfig = ConfigParts & {
  /** The mistakes of the newest load (CLI-8). */
  problems(): readonly ConfigProblem[]
  /** Calls back with the result of each later successful load. */
  follow(changed: Changed): void
  /** Resolves the models of the loaded config again, because accounts changed (MOD-17). */
  refresh(): Promise<void>
  close(): void
}

type Changed = (parts: ConfigParts) => void

type Loaded = ConfigParts & {
  readonly config: Config
  readonly codeFolders: readonly string[]
  readonly skillFolders: readonly string[]
  readonly warnings: readonly string[]
}

/** Rejects with a `ConfigError` that names the place of the error. */
export async function openConfig(options: OpenOptions): Promise<OpenedConfig> {
  const { file, log } = options
  const first = await load(options)
  warn(log, first)
  let now = first
  let problems = warningsOf(first)
  let isBroken = false
  let told: Changed = () => {}
  let isLoading = false
  let missed = false
  let isClosed = false

  const reload = async (): Promise<void> => {
    try {
      now = await load(options)
      isBroken = false
      problems = warningsOf(now)
      if (isClosed) return
      told(now)
      warn(log, now)
      log.info("config reloaded", { file, agents: now.agents.map(({ name }) => name).join(", ") })
    } catch (error) {
      isBroken = true
      if (error instanceof BrokenConfig) now = { ...now, codeFolders: foldersOf([...error.files, file]) }
      problems = [{ kind: "error", detail: reasonOf(error), at: Date.now() }]
      log.warn("config not loaded, the previous agents stay", { reason: reasonOf(error) })
    }
    if (!isClosed) options.loaded?.()
    if (!isClosed) watched.set([...now.codeFolders, ...now.skillFolders])
  }
  const keepUp = async (): Promise<void> => {
    isLoading = true
    while (missed && !isClosed) {
      missed = false
      await reload()
    }
    isLoading = false
  }
  const onChange = () => {
    missed = true
    if (!isLoading) void keepUp()
  }
  // Any new file may fix a broken config, because it may be the missing import.
  const matters = (folder: string, name: string | null) =>
    isBroken || name === null || CODE.has(extname(name)) || now.skillFolders.includes(folder)
  const watched = watchFolders(onChange, matters)
  return {
    agents: first.agents,
    mcp: first.mcp,
    triggers: first.triggers,
    allowedOrigins: first.allowedOrigins,
    problems: () => problems,
    follow(changed) {
      told = changed
      watched.set([...now.codeFolders, ...now.skillFolders])
    },
    async refresh() {
      const { agents } = await resolveIn(options, now.config)
      now = { ...now, agents }
      if (!isClosed) told(now)
    },
    close() {
      isClosed = true
      watched.close()
    },
  }
}

async function load(options: OpenOptions): Promise<Loaded> {
  const { file } = options
  const { value, files } = await importConfig(file)
  try {
    const config = checkConfig(value)
    const { agents, skillFolders, warnings } = await resolveIn(options, config)
    const mcp = resolveMcp(config, dirname(file))
    const triggers = resolveTriggers(config, secretsIn(options.env))
    const { allowedOrigins = [] } = config
    return { config, agents, mcp, triggers, allowedOrigins, skillFolders, warnings, codeFolders: foldersOf(files) }
  } catch (error) {
    throw new BrokenConfig(`${file}: ${reasonOf(error)}`, files, { cause: error })
  }
}

function resolveIn(options: OpenOptions, config: Config) {
  return resolveAgents(config, { ...options, folder: dirname(options.file) })
}

function warningsOf({ warnings }: Loaded): readonly ConfigProblem[] {
  return warnings.map((detail) => ({ kind: "warning", detail, at: Date.now() }))
}

function warn(log: Log, { warnings }: Loaded): void {
  for (const reason of warnings) log.warn("the config has a problem", { reason })
}

function foldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => dirname(file)))]
}

function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
