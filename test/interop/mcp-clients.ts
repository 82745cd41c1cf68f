/** The MCP SDK's own clients against a Parlor server: the current one, and the last one of 2025. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

type Elicited = { readonly action: "accept" | "decline" | "cancel"; readonly content?: object }
export type Answering = (message: string, schema: unknown) => Elicited | Promise<Elicited>

type At = { readonly port: number; readonly token: string }

const endpoint = ({ port }: At) => new URL(`http://127.0.0.1:${port}/mcp`)
const headersOf = ({ token }: At) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

/** Speaks 2026-07-28, and answers elicitations if it is told how. */
export async function modernClient(at: At, answering?: Answering): Promise<Client> {
  const client = new Client(
    { name: "modern", version: "1.0.0" },
    {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      capabilities: answering === undefined ? {} : { elicitation: { form: {} } },
    },
  )
  if (answering !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { action, content } = await answering(
        params.message,
        "requestedSchema" in params ? params.requestedSchema : null,
      )
      return { action, ...(content === undefined ? {} : { content: content as Record<string, string | boolean> }) }
    })
  await client.connect(new StreamableHTTPClientTransport(endpoint(at), headersOf(at)))
  return client
}

/** Speaks 2025-11-25. */
export async function oldClient(at: At): Promise<OldClient> {
  const client = new OldClient({ name: "old", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } })
  await client.connect(new OldTransport(endpoint(at), headersOf(at)) as Parameters<OldClient["connect"]>[0])
  return client
}
