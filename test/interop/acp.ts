/** `parlor acp` as an editor starts it, with the protocol's own client at the other end of its standard streams. */
import { type ChildProcess, spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"
import {
  type AnyMessage,
  type ClientApp,
  type ClientConnection,
  client,
  type InitializeResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk"
import { bundledBin } from "../support/bundle.ts"

const BIN = await bundledBin()

export type Editor = {
  readonly agent: ClientConnection["agent"]
  readonly about: InitializeResponse
  /** Updates of all sessions, in order. */
  readonly updates: SessionUpdate[]
  readonly permissions: RequestPermissionRequest[]
  /** All that came on standard output that is not a JSON-RPC message. */
  readonly strayLines: string[]
  notes(): string
  open(): Promise<string>
  prompt(session: string, text: string): Promise<StopReason>
  /** The text of the agent so far, in all sessions. */
  text(): string
  /** Ends the process as a closed editor does. */
  close(): Promise<void>
}

export type EditorOptions = {
  readonly url: string
  readonly token: string
  readonly args?: readonly string[]
  readonly permission?: (request: RequestPermissionRequest) => Promise<string | undefined>
  readonly elicitation?: (request: unknown) => Promise<unknown>
}

export async function openEditor(options: EditorOptions): Promise<Editor> {
  const child = spawn(process.execPath, [BIN, "acp", ...(options.args ?? [])], {
    env: { PATH: process.env.PATH, PARLOR_URL: options.url, PARLOR_TOKEN: options.token },
    stdio: ["pipe", "pipe", "pipe"],
  })
  const updates: SessionUpdate[] = []
  const permissions: RequestPermissionRequest[] = []
  const strayLines: string[] = []
  let notes = ""
  child.stderr.on("data", (chunk: Buffer) => (notes += chunk.toString()))
  const app = editorApp({ ...options, updates, permissions })
  const connection = app.connect(watched(child, strayLines))
  const { agent } = connection
  const about = await agent.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {
      session: { notices: {} },
      ...(options.elicitation === undefined ? {} : { elicitation: { form: {} } }),
    },
  })
  return {
    agent,
    about,
    updates,
    permissions,
    strayLines,
    notes: () => notes,
    open: async () => (await agent.request("session/new", { cwd: "/tmp", mcpServers: [] })).sessionId,
    prompt: async (sessionId, text) =>
      (await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] })).stopReason,
    text: () => textOf(updates),
    async close() {
      const ended = new Promise((resolve) => child.once("exit", resolve))
      if (child.exitCode !== null || child.signalCode !== null) return
      child.stdin.end()
      await ended
    },
  }
}

export function textOf(updates: readonly SessionUpdate[], kind = "agent_message_chunk"): string {
  return updates
    .map((update) =>
      update.sessionUpdate === kind && "content" in update && !Array.isArray(update.content)
        ? update.content?.type === "text"
          ? update.content.text
          : ""
        : "",
    )
    .join("")
}

function editorApp({
  updates,
  permissions,
  permission,
  elicitation,
}: EditorOptions & Pick<Editor, "updates" | "permissions">): ClientApp {
  const app = client({ name: "test editor" })
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", async ({ params }) => {
      permissions.push(params)
      const optionId = await (permission?.(params) ?? Promise.resolve("allow"))
      return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } }
    })
  if (elicitation !== undefined)
    app.onRequest("elicitation/create", async ({ params }) => (await elicitation(params)) as { action: "cancel" })
  return app
}

/** Lines are looked at before they are parsed: nothing but messages may be on standard output. */
function watched(child: ChildProcess, strayLines: string[]) {
  if (child.stdin === null || child.stdout === null) throw new Error("no pipes")
  let rest = ""
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) if (!isMessage(line)) strayLines.push(line)
  })
  return ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>)
}

function isMessage(line: string): boolean {
  try {
    return (JSON.parse(line) as Partial<AnyMessage>).jsonrpc === "2.0"
  } catch {
    return false
  }
}
