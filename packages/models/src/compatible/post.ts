/**
 * One POST over a kept-alive connection.
 *
 * A server may close an idle connection in the moment it is used again. Nothing of the request was read then, so it is
 * sent once more on a fresh connection before anybody hears of it.
 */
import http, { type ClientRequest, type IncomingMessage, validateHeaderValue } from "node:http"
import https from "node:https"
import { urlToHttpOptions } from "node:url"

export type Posting = { destroy(): void; destroyAfterIdle(ms: number): void }

/** The body in pieces. */
export type Poster = (body: readonly Buffer[], on: PostingEvents) => Posting

export type PostingEvents = {
  response(response: IncomingMessage): void
  error(error: unknown): void
}

export function poster(endpoint: URL, headers: Readonly<Record<string, string>>): Poster {
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value)
  const { request, Agent } = endpoint.protocol === "https:" ? https : http
  const agent = new Agent({ keepAlive: true })
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(endpoint)
  const target = { protocol, hostname, port, path, auth }

  return (body, on) => {
    const length = body.reduce((sum, piece) => sum + piece.byteLength, 0)
    let wanted = true
    let current = send(agent)

    function send(through: InstanceType<typeof Agent> | false): ClientRequest {
      const outgoing = request({
        ...target,
        method: "POST",
        agent: through,
        headers: { ...headers, "content-length": length },
      })
      let answered = false
      outgoing.on("response", (response) => {
        answered = true
        on.response(response)
      })
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        const stale = outgoing.reusedSocket && !answered && error.code === "ECONNRESET"
        if (stale && wanted && through !== false) current = send(false)
        else on.error(error)
      })
      for (const piece of body) outgoing.write(piece)
      outgoing.end()
      return outgoing
    }

    return {
      destroy() {
        wanted = false
        current.destroy()
      },
      destroyAfterIdle(ms) {
        current.setTimeout(ms, () => current.destroy())
      },
    }
  }
}
