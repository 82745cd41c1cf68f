/**
 * The sandbox port (SBX-1): bubblewrap, or a container runtime that the operator chose. Where neither works, commands
 * are refused; there is no way to run one without isolation.
 */
import { randomBytes } from "node:crypto"
import { accessSync, constants, lstatSync, readlinkSync } from "node:fs"
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import type { Sandbox, SandboxCommand, SandboxResult } from "@parlor/core"
import { bubblewrapArgs } from "./bubblewrap.ts"
import { containerArgs } from "./container.ts"
import { putBack, stage } from "./copy.ts"
import { type Executed, type Execution, execute } from "./execute.ts"
import { limitedArgs } from "./limited.ts"
import { seccompProgram } from "./seccomp.ts"

export type SandboxOptions = {
  /** `bubblewrap`, `docker/<image>`, `podman/<image>`, or `off`. */
  readonly kind: string
}

/** A server that runs as root must not run commands as root, not even isolated: /proc/sys belongs to root. */
const NOBODY = 64_321
const COPY_BYTES = 512 * 1024 * 1024
const CHECK_MS = 10_000
const SYSTEM_LINKS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]

export function openSandbox({ kind }: SandboxOptions): Sandbox {
  let checked: Promise<string | undefined> | undefined
  const unavailable = () => {
    checked ??= check(kind)
    return checked
  }
  return {
    unavailable,
    async run(command, { signal }) {
      const why = await unavailable()
      if (why !== undefined) throw new Error(why)
      return onCopy(command, signal, (copy) => within(kind, copy, command, signal))
    },
  }
}

/** Runs the command on a copy of its folder. */
async function onCopy(
  command: SandboxCommand,
  signal: AbortSignal,
  run: (copy: string) => Promise<Executed>,
): Promise<SandboxResult> {
  const home = await mkdtemp(join(tmpdir(), "parlor-run-"))
  const copy = join(home, "work")
  try {
    const owner = otherUser()
    await mkdir(copy, 0o700)
    if (owner !== undefined) {
      await chmod(home, 0o711)
      await chown(copy, owner, owner)
    }
    const staged = await stage(command.folder, copy, { maxBytes: COPY_BYTES, owner, signal })
    const ended = await run(copy)
    signal.throwIfAborted()
    const left = await putBack(command.folder, copy, staged, { maxBytes: command.limits.diskBytes })
    return { ...ended, left }
  } finally {
    await removeCopy(home)
  }
}

async function removeCopy(home: string): Promise<void> {
  await rm(home, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

function within(kind: string, copy: string, command: SandboxCommand, signal: AbortSignal): Promise<Executed> {
  const { limits } = command
  const common = { copy, limits, signal, user: otherUser() }
  const argv = limitedArgs(command.command, limits)
  const [runtime = "", ...image] = kind.split("/")
  if (kind === "bubblewrap") return execute({ ...common, ...wrapped(copy, command, argv) })
  const name = `parlor-${randomBytes(8).toString("hex")}`
  const owner = otherUser() ?? process.getuid?.() ?? NOBODY
  const parts = { name, image: image.join("/"), folder: copy, user: `${owner}:${owner}`, command, argv }
  const file = programPath(runtime) ?? runtime
  const kill = () => void execute({ ...simple(file, ["kill", name]), copy }).catch(() => {})
  return execute({ ...common, user: undefined, file, args: containerArgs(parts), inputs: [], kill })
}

type Program = Pick<Execution, "file" | "args" | "inputs"> & { readonly reports?: number }

/** Arguments are passed on a pipe: the command can read the command line of the first process. */
function wrapped(copy: string, { network, env }: SandboxCommand, argv: readonly string[]): Program {
  const seccomp = seccompProgram(process.arch)
  const options = bubblewrapArgs({
    folder: copy,
    network,
    env,
    programs: programFolders(),
    links: systemLinks(),
    argv: [],
  })
  const inputs = [Buffer.from(options.slice(0, -1).join("\0")), ...(seccomp === undefined ? [] : [seccomp])]
  const reports = 3 + inputs.length
  const filter = seccomp === undefined ? [] : ["--seccomp", "4"]
  const args = ["--args", "3", ...filter, "--info-fd", String(reports), "--", ...argv]
  return { file: programPath("bwrap") ?? "bwrap", args, inputs, reports }
}

async function check(kind: string): Promise<string | undefined> {
  if (kind === "off") return "Commands are turned off on this server (PARLOR_SANDBOX=off)."
  const [runtime = "", image = ""] = kind.split("/")
  if (kind !== "bubblewrap") {
    if (!(["docker", "podman"].includes(runtime) && image !== ""))
      return `"${kind}" is not a sandbox. Use bubblewrap, docker/<image>, podman/<image> or off.`
    const file = programPath(runtime)
    if (file === undefined) return `Commands cannot run here: ${runtime} is not installed.`
    const { exit } = await tried(simple(file, ["version"]))
    return exit === 0 ? undefined : `Commands cannot run here: ${runtime} does not answer.`
  }
  if (process.platform !== "linux")
    return "Commands cannot run here: bubblewrap needs Linux. Set PARLOR_SANDBOX to docker/<image> or podman/<image>."
  if (programPath("bwrap") === undefined) return "Commands cannot run here: bubblewrap is not installed (bwrap)."
  const home = await mkdtemp(join(tmpdir(), "parlor-run-"))
  try {
    if (otherUser() !== undefined) await chmod(home, 0o777)
    const command = { network: false, env: {} } as unknown as SandboxCommand
    const probe = { ...simple("", []), ...wrapped(home, command, ["/bin/sh", "-c", "echo works"]), user: otherUser() }
    const { output } = await tried(probe)
    if (output.trim() === "works") return undefined
    const said = output.trim().split("\n")[0] ?? ""
    return `Commands cannot run here: bubblewrap does not work on this machine (${said.slice(0, 200)}).`
  } finally {
    await removeCopy(home)
  }
}

function simple(file: string, args: readonly string[]): Execution {
  const limits = { timeMs: CHECK_MS, outputBytes: 100_000, memoryBytes: 1e12, processes: 1e6, diskBytes: 1e12 }
  return { file, args, inputs: [], user: undefined, copy: "/nonexistent", limits, signal: new AbortController().signal }
}

async function tried(execution: Execution): Promise<Executed> {
  try {
    return await execute(execution)
  } catch (error) {
    return { end: "exit", exit: null, output: error instanceof Error ? error.message : String(error) }
  }
}

function otherUser(): number | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined
}

function programPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Node.js is often installed in a home folder; agents expect it. */
function programFolders(): readonly string[] {
  const folder = dirname(process.execPath)
  return folder.startsWith("/usr/") ? [] : [folder]
}

function systemLinks(): Readonly<Record<string, string>> {
  const links: Record<string, string> = {}
  for (const place of SYSTEM_LINKS)
    try {
      if (lstatSync(place).isSymbolicLink()) links[place] = readlinkSync(place)
    } catch {
      // Not on this machine.
    }
  return links
}
