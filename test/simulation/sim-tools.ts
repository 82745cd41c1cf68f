/** Tools of all kinds. What each of them did to the world is told to the checks, which count. */
import { defineTool, type Tool, type ToolContext } from "@parlor/core"
import { z } from "zod"
import type { Random } from "../faults/random.ts"
import type { Process } from "./process.ts"

export type ToolRun = {
  readonly tool: string
  /** Each call a model makes has its own. */
  readonly token: number
  readonly process: Process
}

export type ToolParts = {
  readonly process: Process
  readonly random: Random
  readonly isCalm: () => boolean
  readonly ran: (run: ToolRun) => void
}

const input = z.object({ n: z.number() })
type Kind = Pick<Tool, "name" | "repeatable"> & Partial<Pick<Tool, "approval" | "timeoutMs">>

export const REPEATABLE: ReadonlySet<string> = new Set(["look", "slow", "ask_person"])

export function simTools(parts: ToolParts): readonly Tool[] {
  const { random } = parts
  const upTo = (ms: number) => async () => {
    await sleep(parts, random.int(0, ms))
    return "done"
  }
  return [
    tool(parts, { name: "look", repeatable: true }, upTo(50)),
    tool(parts, { name: "pay", repeatable: false }, upTo(5_000)),
    tool(parts, { name: "guarded", repeatable: false, approval: "always" }, upTo(100)),
    tool(parts, { name: "slow", repeatable: true, timeoutMs: 800 }, upTo(2_000)),
    tool(parts, { name: "broken", repeatable: false }, async () => {
      await sleep(parts, 10)
      throw new Error("it is broken")
    }),
    tool(parts, { name: "ask_person", repeatable: true }, async (context) => {
      const options = random.chance(0.5) ? { options: ["red", "blue"] } : {}
      const expires = random.chance(0.3) ? { expiresInMs: random.pick([500, 5_000]) } : {}
      return (await context.ask({ kind: "question", title: "Which?", ...options, ...expires })) ?? "no answer"
    }),
  ]
}

function tool(parts: ToolParts, kind: Kind, work: (context: ToolContext) => Promise<unknown>): Tool {
  return defineTool({
    ...kind,
    description: kind.name,
    input,
    run: async ({ n }, context) => {
      parts.ran({ tool: kind.name, token: n, process: parts.process })
      return (await work(context)) as string
    },
  })
}

function sleep(parts: ToolParts, ms: number): Promise<void> {
  return new Promise((resolve) => void parts.process.clock.after(parts.isCalm() ? 1 : ms, resolve))
}
