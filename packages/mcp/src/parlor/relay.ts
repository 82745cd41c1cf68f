/**
 * `parlor mcp`: the tools of a Parlor server's `/mcp`, over standard input and output.
 *
 *   other agent ──stdio, any version──▶ relay ──HTTP, current version──▶ POST /mcp
 *
 * The tools are defined on the server only. The relay passes calls, progress, questions and answers on, with the rights
 * of its token and no others. Clients of 2025 get questions as elicitations here, because stdio has a way back to them
 * that HTTP without sessions lacks.
 */
import {
  type CallToolResult,
  Client,
  type InputRequiredResult,
  ProtocolError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client"
import { CLIENT_CAPABILITIES_META_KEY, Server, type ServerContext } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { reasonOf } from "../reason.ts"

/** The version that every Parlor server with `/mcp` speaks. */
const VERSION = "2026-07-28"
const CONNECT_MS = 30_000
/** Longer than any tool waits. */
const CALL_MS = 11 * 60_000

export type RelayTo = { readonly baseUrl: string; readonly token: string; readonly person?: string }

/** Runs until its standard input ends. */
export async function relayStdio(to: RelayTo, options: { readonly version: string }): Promise<void> {
  const remote = remoteOf(to, options.version)
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve)
    process.stdin.once("close", resolve)
  })
  const serving = serveStdio(() => relayServer(remote, options.version))
  await ended
  await serving.close()
  await remote.close()
}

type Remote = { readonly client: () => Promise<Client>; readonly url: string; readonly close: () => Promise<void> }

/** Connects with the first call, and again with the next one if that fails. */
function remoteOf({ baseUrl, token, person }: RelayTo, version: string): Remote {
  const url = `${baseUrl}/mcp`
  const named = person === undefined ? {} : { "parlor-person": encodeURI(person) }
  const headers = { authorization: `Bearer ${token}`, ...named }
  let connecting: Promise<Client> | undefined
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: "parlor-relay", version }, { versionNegotiation: { mode: { pin: VERSION } } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), {
      timeout: CONNECT_MS,
    })
    return client
  }
  return {
    url,
    client: () => {
      connecting ??= connect().catch((error: unknown) => {
        connecting = undefined
        throw error
      })
      return connecting
    },
    close: async () => {
      await connecting?.then((client) => client.close()).catch(() => {})
    },
  }
}

function relayServer(remote: Remote, version: string): Server {
  const server = new Server({ name: "parlor", version }, { capabilities: { tools: { listChanged: false } } })
  server.setRequestHandler("tools/list", async ({ params }, { mcpReq }) => {
    try {
      const client = await remote.client()
      return await client.request({ method: "tools/list", params: { ...params } }, { signal: mcpReq.signal })
    } catch (error) {
      throw error instanceof ProtocolError ? error : new Error(unreachableWords(remote.url, error))
    }
  })
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    try {
      return await callRemote(await remote.client(), { ...params }, { server, context })
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      return { isError: true, content: [{ type: "text", text: unreachableWords(remote.url, error) }] }
    }
  })
  return server
}

async function callRemote(
  client: Client,
  params: { readonly name: string },
  { server, context: { mcpReq } }: { readonly server: Server; readonly context: ServerContext },
): Promise<CallToolResult | InputRequiredResult> {
  const { _meta, inputResponses, signal, notify } = mcpReq
  const requestState = mcpReq.requestState<string>()
  const progressToken = _meta?.progressToken
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {}
  const sent = {
    ...params,
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
    _meta: { [CLIENT_CAPABILITIES_META_KEY]: capabilities },
  }
  const options = { signal, timeout: CALL_MS, allowInputRequired: true }
  if (progressToken === undefined) return client.request({ method: "tools/call", params: sent }, options)
  const onprogress = (progress: { readonly progress: number; readonly message?: string | undefined }) => {
    notify({ method: "notifications/progress", params: { ...progress, progressToken } }).catch(() => {})
  }
  return client.request({ method: "tools/call", params: sent }, { ...options, onprogress })
}

function unreachableWords(url: string, error: unknown): string {
  return `The Parlor server at ${url} cannot be reached. ${reasonOf(error)}`
}
