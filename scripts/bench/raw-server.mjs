/** The limit of the machine: passes a model's stream on to whoever listens, and stores nothing. */
import { Agent, createServer, request as send } from "node:http"

const model = new URL(`${process.env.MODEL}/chat/completions`)
const agent = new Agent({ keepAlive: true })
/** @typedef {{ readers: Set<import("node:http").ServerResponse>, said: object[] }} Talk */
/** @type {Map<string, Talk>} */
const talks = new Map()

/** @param {string} id */
function talkOf(id) {
  const talk = talks.get(id) ?? { readers: new Set(), said: [] }
  talks.set(id, talk)
  return talk
}

/** @param {Talk} talk @param {string} event @param {unknown} data */
function tell(talk, event, data) {
  for (const reader of talk.readers) reader.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** @param {Talk} talk @param {string} text */
function answer(talk, text) {
  talk.said.push({ role: "user", content: text })
  const body = JSON.stringify({ model: "fake", stream: true, messages: talk.said })
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
  const asking = send(model, { method: "POST", agent, headers }, (response) => {
    let rest = ""
    let whole = ""
    response.setEncoding("utf8")
    response.on("data", (part) => {
      const lines = (rest + part).split("\n\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const token = line === "data: [DONE]" ? undefined : JSON.parse(line.slice(6)).choices[0]?.delta.content
        if (token === undefined) continue
        whole += token
        tell(talk, "delta", token)
      }
    })
    response.on("end", () => {
      talk.said.push({ role: "assistant", content: whole })
      tell(talk, "done", {})
    })
  })
  asking.end(body)
}

const server = createServer((request, response) => {
  const talk = talkOf((request.url ?? "").slice(1))
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.flushHeaders()
    talk.readers.add(response)
    response.on("close", () => talk.readers.delete(response))
    return
  }
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (part) => {
    body += part
  })
  request.on("end", () => {
    answer(talk, JSON.parse(body).text)
    response.writeHead(202).end("{}")
  })
})
server.keepAliveTimeout = 120_000
server.listen(Number(process.env.PORT), "127.0.0.1")
