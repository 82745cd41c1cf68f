/**
 * The tool `run`: a command in the workspace, isolated by the sandbox port (SBX-1 to SBX-6).
 *
 *   files as their rows say ──▶ the command, on a copy ──▶ what it changed ──▶ recorded as changes of the turn
 *
 * Not repeatable: after a crash its outcome is unknown. What had arrived in the folder by then counts as edited by
 * hand, so that it is recorded before anything overwrites it.
 */
import type { TurnRow } from "@parlor/protocol"
import { z } from "zod"
import type { RunSettings } from "../agent/run-settings.ts"
import { defineTool, type Tool } from "../agent/tool.ts"
import type { Owner } from "../log/owner.ts"
import type { Sandbox, SandboxEnd, SandboxLimits } from "../ports/sandbox.ts"
import type { Actor } from "./change.ts"
import type { FileAccess } from "./file-access.ts"
import { checkIn, checkOut, leftNote } from "./programs.ts"

const MAX_COMMAND_CHARS = 20_000
/** The time to copy files, beyond what the command may take. */
const SPARE_MS = 60_000

export type RunAccess = FileAccess & { readonly sandbox?: Sandbox }

const input = z.object({
  command: z.string().min(1).max(MAX_COMMAND_CHARS).describe("A command for sh, in the workspace's folder"),
})

export function runTool(node: RunAccess, owner: Owner, turn: TurnRow, agent: string, settings: RunSettings): Tool {
  const { limits, network, env, approval } = settings
  return defineTool({
    name: "run",
    description:
      "Runs a shell command in the workspace and returns its exit code and output. It works on the workspace's files, " +
      `${network ? "may use the network" : "has no network"}, and is ended after ${limits.timeMs / 1_000} s. ` +
      "Background processes are ended with it.",
    input,
    repeatable: false,
    approval,
    timeoutMs: limits.timeMs + SPARE_MS,
    run: async ({ command }, { signal }) => {
      const { sandbox } = node
      const why = sandbox === undefined ? "Commands cannot run on this server." : await sandbox.unavailable()
      if (sandbox === undefined || why !== undefined) throw new Error(why)
      const { person } = owner.address
      const actor: Actor = { person, by: `agent:${agent}`, turn: turn.id, txid: owner.txid, owner, signal }
      const place = await checkOut(node, owner.stream, actor)
      if (place === undefined) throw new Error("Commands cannot run on this server: it keeps no files on disk.")
      const { end, exit, output, left } = await sandbox.run(
        { command, folder: place.folder, limits, network, env },
        { signal },
      )
      const checked = await checkIn(node, owner.stream, actor)
      const note = leftNote({ ...checked, left: [...left, ...checked.left] })
      return {
        exit,
        ...(end === "exit" ? {} : { ended: endWords(end, limits) }),
        output,
        changedFiles: checked.recorded,
        ...(note === undefined ? {} : { note }),
      }
    },
  })
}

function endWords(end: Exclude<SandboxEnd, "exit">, limits: SandboxLimits): string {
  switch (end) {
    case "time":
      return `It was ended after ${limits.timeMs / 1_000} s.`
    case "output":
      return `It was ended because it printed more than ${limits.outputBytes} bytes.`
    case "memory":
      return `It was ended because it used more than ${limits.memoryBytes} bytes of memory.`
    case "processes":
      return `It was ended because it started more than ${limits.processes} processes.`
    case "disk":
      return `It was ended because it wrote more than ${limits.diskBytes} bytes.`
  }
}
