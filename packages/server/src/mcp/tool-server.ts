/** Parlor's tools on the MCP SDK, for one request of one caller. Loaded with the first request to `/mcp`. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { type McpInput, type McpProgress, type McpReplyView, mcpTools } from "@parlor/adapters"
import { Refusal } from "@parlor/protocol"
import { problemOf } from "../http/problem.ts"
import { addressFor, type McpCaller } from "./mcp-caller.ts"
import { agents, conversations, read, search, stop } from "./reading.ts"
import { type Awaited, dialogsFor, parseAwaited, printAwaited, storeAnswers, waitForReply } from "./replying.ts"
import { answer, running, send } from "./sending.ts"

type Result = CallToolResult | InputRequiredResult

const INSTRUCTIONS =
  "Parlor holds a person's conversations with their agents. send talks to an agent and waits for its reply. When the " +
  "state is running, call wait; when it is asks, ask the person and call answer."

/** Serves one HTTP request: the protocol's current version, and older ones without a session. */
export function respondTo(from: McpCaller, request: Request, parsedBody: unknown): Promise<Response> {
  const handler = createMcpHandler(() => toolServer(from), { keepAliveMs: 0, maxSubscriptions: 1 })
  return handler.fetch(request, { parsedBody })
}

function toolServer(from: McpCaller): McpServer {
  const server = new McpServer(
    { name: "parlor", version: from.services.version },
    {
      // The tools never change while a server runs.
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      requestState: { verify: parseAwaited },
    },
  )
  addReading(server, from)
  addReplying(server, from)
  return server
}

function addReading(server: McpServer, from: McpCaller): void {
  const plain = (work: () => Promise<object> | object) => explained(from, async () => structured(await work()))
  server.registerTool("agents", configOf("agents"), () => plain(() => agents(from)))
  server.registerTool("conversations", configOf("conversations"), (input) => plain(() => conversations(from, input)))
  server.registerTool("read", configOf("read"), (input) => plain(() => read(from, input)))
  server.registerTool("search", configOf("search"), (input) => plain(() => search(from, input)))
  server.registerTool("stop", configOf("stop"), (input) => plain(() => stop(from, input)))
}

function addReplying(server: McpServer, from: McpCaller): void {
  const replied = (input: Input, context: ServerContext, start: () => Promise<Started | undefined>) =>
    explained(from, () => reply({ from, server, input, context }, start))
  server.registerTool("send", configOf("send"), (input, context) => replied(input, context, () => send(from, input)))
  server.registerTool("wait", configOf("wait"), (input, context) => replied(input, context, () => running(from, input)))
  server.registerTool("answer", configOf("answer"), (input, context) =>
    replied(input, context, () => answer(from, input)),
  )
}

function configOf<N extends keyof typeof mcpTools>(name: N) {
  const { title, description, annotations, input, output } = mcpTools[name]
  return { title, description, annotations, inputSchema: input, outputSchema: output } as {
    readonly title: string
    readonly description: string
    readonly annotations: typeof annotations
    readonly inputSchema: (typeof mcpTools)[N]["input"]
    readonly outputSchema: (typeof mcpTools)[N]["output"]
  }
}

type Input = Pick<McpInput<"wait">, "agent" | "waitSeconds"> & { readonly branch?: string | undefined }
type Started = Awaited & { readonly outcome?: McpReplyView["outcome"] }
type Calling = {
  readonly from: McpCaller
  readonly server: McpServer
  readonly input: Input
  readonly context: ServerContext
}

/** The first call starts; the calls after a question continue where it stopped, with the person's answers. */
async function reply(call: Calling, start: () => Promise<Started | undefined>): Promise<Result> {
  const { requestState, inputResponses } = call.context.mcpReq
  const state = requestState<Awaited>()
  if (state !== undefined) {
    const address = addressFor(call.from, { agent: call.input.agent, branch: state.branch })
    const isComplete = await storeAnswers(call.from, address, inputResponses ?? {})
    return waited(call, state, { mayAsk: isComplete })
  }
  if (Object.keys(inputResponses ?? {}).length > 0)
    throw new Refusal("ask.unknown", "The call answers a question that was not asked.", "/inputResponses")
  const started = await start()
  if (started === undefined) return structured(idle(call.input))
  return waited(call, started, { mayAsk: true })
}

async function waited(call: Calling, started: Started, options: { readonly mayAsk: boolean }): Promise<Result> {
  const { agent, waitSeconds } = call.input
  const { branch, message, outcome } = started
  const report = progressTo(call.context)
  if (outcome === "queued") report({ progress: 0, message: "Queued behind another message" })
  const { reply, asks } = await waitForReply(call.from, {
    agent,
    of: started,
    waitMs: waitSeconds * 1_000,
    signal: call.context.mcpReq.signal,
    report,
  })
  if (asks.length > 0 && options.mayAsk && canElicit(call)) {
    const requests = dialogsFor(asks).map(([id, { message, requestedSchema }]) => [
      id,
      inputRequired.elicit({ message, requestedSchema } as Parameters<typeof inputRequired.elicit>[0]),
    ])
    const requestState = printAwaited({ branch, message, after: started.after })
    return inputRequired({ inputRequests: Object.fromEntries(requests), requestState })
  }
  const view: McpReplyView = { agent, branch, message, ...reply, ...(outcome === undefined ? {} : { outcome }) }
  return structured({ ...view, ...nextOf(view) })
}

function idle({ agent, branch = "" }: Input): McpReplyView {
  return { agent, branch, message: null, state: "idle", text: "", asks: [], error: null }
}

function nextOf({ state, agent, branch, asks }: McpReplyView): { readonly next?: string } {
  if (state === "running") return { next: `Call wait with agent ${agent} and branch ${branch} to get the reply.` }
  if (state !== "asks") return {}
  const ids = asks.map(({ id }) => id).join(", ")
  return { next: `Ask the person. Then call answer with agent ${agent}, branch ${branch} and ask ${ids}.` }
}

/** Clients declare it with each request; over stdio, older ones declared it when they connected. */
function canElicit({ server, context }: Calling): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope }
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined
  const elicitation = (declared ?? server.server.getClientCapabilities())?.elicitation
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

function progressTo({ mcpReq }: ServerContext): (progress: McpProgress) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => {}
  return (progress) => {
    // A client that is gone is noticed by the signal.
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...progress } }).catch(() => {})
  }
}

function structured(content: object): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(content, null, 2) }],
    structuredContent: content as Record<string, unknown>,
  }
}

/** A refusal is a result that the caller can read. What went wrong inside is logged, and the caller gets a reference. */
async function explained(from: McpCaller, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { log, runtime } = from.services
    const { problem } = problemOf(error, log, runtime.txid())
    return { isError: true, content: [{ type: "text", text: `${problem.code}: ${problem.detail}` }] }
  }
}
