/** What a hosted agent may request of Parlor: permission, files of its workspace, terminals (HST-4, HST-15, HST-16). */
import { type ClientApp, client, RequestError } from "@agentclientprotocol/sdk"
import type { HarnessPrompt } from "@parlor/core"
import { insideOf } from "./paths.ts"
import { askOf, responseTo } from "./permission.ts"
import type { Terminals } from "./terminals.ts"
import { callEvent, type UpdateContext } from "./updates.ts"

export type ServicesParts = {
  readonly folder: string
  readonly terminals: Terminals
  readonly context: UpdateContext
  /** The prompt that is being answered. */
  readonly prompt: () => HarnessPrompt | undefined
}

export function servicesFor({ folder, terminals, context, prompt: current }: ServicesParts): ClientApp {
  type Files = HarnessPrompt["workspace"]
  const files = async <T>(path: string, work: (workspace: Files, path: string) => Promise<T>): Promise<T> => {
    const prompt = current()
    const inside = insideOf(folder, path)
    if (prompt === undefined) throw RequestError.invalidRequest(undefined, "No prompt is being answered.")
    if (inside === undefined)
      throw RequestError.invalidParams(undefined, `${path} is outside of the working folder ${folder}.`)
    try {
      return await work(prompt.workspace, inside)
    } catch (error) {
      const { code, message } = error as { readonly code?: unknown; readonly message?: string }
      if (code === "file.unknown") throw RequestError.resourceNotFound(path)
      throw RequestError.invalidParams(undefined, message ?? "The file cannot be used.")
    }
  }
  return client({ name: "parlor" })
    .onRequest("session/request_permission", async ({ params }) => {
      const prompt = current()
      if (prompt === undefined) return responseTo(undefined)
      const call = callEvent(params.toolCall as Readonly<Record<string, unknown>>, context)
      if (call !== undefined) prompt.onEvent(call)
      return responseTo(await prompt.ask(askOf(params)).catch(() => undefined))
    })
    .onRequest("fs/read_text_file", async ({ params }) => {
      const text = await files(params.path, (workspace, path) => workspace.readText(path))
      return { content: linesOf(text, params.line, params.limit) }
    })
    .onRequest("fs/write_text_file", async ({ params }) => {
      await files(params.path, (workspace, path) => workspace.writeText(path, params.content))
      return {}
    })
    .onRequest("terminal/create", ({ params }) => terminals.create(params))
    .onRequest("terminal/output", ({ params }) => terminals.output(params.terminalId))
    .onRequest("terminal/wait_for_exit", ({ params }) => terminals.waitForExit(params.terminalId))
    .onRequest("terminal/kill", async ({ params }) => {
      await terminals.kill(params.terminalId)
      return {}
    })
    .onRequest("terminal/release", async ({ params }) => {
      await terminals.release(params.terminalId)
      return {}
    })
}

function linesOf(text: string, line: number | null | undefined, limit: number | null | undefined): string {
  if ((line ?? null) === null && (limit ?? null) === null) return text
  const from = Math.max(0, (line ?? 1) - 1)
  return text
    .split("\n")
    .slice(from, from + (limit ?? Number.MAX_SAFE_INTEGER))
    .join("\n")
}
