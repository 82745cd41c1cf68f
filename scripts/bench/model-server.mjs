/**
 * A model server for measurements: OpenAI's chat completions, streamed. The newest `[[n=200 rate=50 at=1]]` in a request
 * says what it answers: `n` tokens of 4 bytes, at `rate` per second or at once, with `at` each with its time.
 */
import { createServer } from "node:http"

/** @param {string} body */
function wish(body) {
  const from = body.lastIndexOf("[[")
  const words = from < 0 ? "" : body.slice(from + 2, body.indexOf("]]", from))
  const asked = new Map(words.split(" ").map((word) => [word.split("=")[0] ?? "", Number(word.split("=")[1])]))
  return { n: asked.get("n") ?? 5, rate: asked.get("rate") ?? 0, at: asked.get("at") === 1 }
}

/** @param {object} delta @param {string | null} reason */
function chunk(delta, reason = null) {
  const choices = [{ index: 0, delta, finish_reason: reason }]
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "fake", choices })}\n\n`
}

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const parts = []
  request.on("data", (part) => parts.push(part))
  request.on("end", () => {
    const { n, rate, at } = wish(Buffer.concat(parts).toString())
    const token = () => chunk({ content: at ? `@${(performance.timeOrigin + performance.now()).toFixed(2)} ` : "tok " })
    const usage = { prompt_tokens: 1, completion_tokens: n, total_tokens: n + 1 }
    const end = () => {
      const last = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "fake", choices: [], usage })}\n\n`
      response.end(`${chunk({}, "stop")}${last}data: [DONE]\n\n`)
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    let said = 0
    if (rate === 0) {
      const some = () => {
        for (let i = 0; i < 16 && said < n; i++, said++) response.write(token())
        if (said < n) setImmediate(some)
        else end()
      }
      some()
      return
    }
    const timer = setInterval(() => {
      if (said++ < n) response.write(token())
      else {
        clearInterval(timer)
        end()
      }
    }, 1000 / rate)
    response.on("close", () => clearInterval(timer))
  })
})
server.keepAliveTimeout = 120_000
server.listen(Number(process.env.PORT), "127.0.0.1")
