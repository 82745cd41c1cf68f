/**
 * `node scripts/measure-hosted.mjs`: the server's CPU time of one turn, through the standard loop and through the harness
 * of a hosted agent (HST-20). The same words, the same number of chunks; model and agent are processes of their own.
 *
 * Rounds alternate, so that a busy machine affects both alike. Fails if the harness costs more than 1.3 times as much.
 * `--coarse` is short and allows more: the tests run it.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { ensureBuilt, ensureInstalled, root, script } from "./setup.mjs"

const WORDS = 100
/** Both stream at the same pace, as a fast model does: otherwise the one that is slower would be written in more pieces. */
const WORD_MS = 3
const isCoarse = process.argv.includes("--coarse")
const TURNS = isCoarse ? 6 : 15
const ROUNDS = isCoarse ? 3 : 5
/** A busy machine makes a short measurement inexact; something that costs twice as much is seen all the same. */
const MOST = isCoarse ? 1.8 : 1.3

await script(async () => {
  await ensureInstalled()
  await ensureBuilt({ web: false })
  const { ratio } = await measureHosted()
  if (ratio > MOST) throw new Error(`The harness costs ${ratio.toFixed(2)} times as much. At most ${MOST} is allowed.`)
})

async function measureHosted() {
  const folder = mkdtempSync(join(tmpdir(), "parlor-hosted-"))
  const model = await startModel()
  const agent = join(root, "test", "support", "fake-acp-agent.mjs")
  const acp = { command: [process.execPath, agent], env: { FAKE_WORDS: String(WORDS), FAKE_WORD_MS: String(WORD_MS) } }
  const agents = [{ name: "standard" }, { name: "hosted", acp }]
  writeFileSync(join(folder, "parlor.config.mjs"), `export default ${JSON.stringify({ agents })}`)
  const load = (/** @type {string} */ name) => import(pathToFileURL(join(root, "packages", name)).href)
  const { startServing } = await load("cli/dist/serve.js")
  const serving = await startServing({
    PARLOR_DATA: join(folder, "data"),
    PARLOR_CONFIG: join(folder, "parlor.config.mjs"),
    PARLOR_PORT: "0",
    PARLOR_LOG: "error",
    PARLOR_MODEL: "compatible/steady",
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "none",
    PATH: process.env.PATH,
  })
  try {
    const names = ["standard", "hosted"]
    for (const name of names) await turns(serving, name, 5)
    /** @type {Record<string, number[]>} */
    const cpu = { standard: [], hosted: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names) {
        const before = process.cpuUsage()
        await turns(serving, name, TURNS)
        const { user, system } = process.cpuUsage(before)
        cpu[name]?.push((user + system) / 1_000 / TURNS)
      }
    }
    const [standard, hosted] = names.map((name) => median(cpu[name] ?? []))
    const ratio = (hosted ?? 0) / (standard ?? 1)
    console.log(`standard loop: ${standard?.toFixed(2)} ms of CPU per turn of ${WORDS} words`)
    console.log(`hosted agent:  ${hosted?.toFixed(2)} ms of CPU per turn of ${WORDS} words`)
    console.log(`ratio:         ${ratio.toFixed(2)} (at most ${MOST})`)
    return { ratio }
  } finally {
    await serving.close()
    model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One after another. The response to each message waits for the reply, so that nothing has to be polled. */
async function turns(
  /** @type {{ url: string, token: string }} */ { url, token },
  /** @type {string} */ agent,
  /** @type {number} */ count,
) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", prefer: "wait=60" }
  for (let n = 0; n < count; n++) {
    const body = JSON.stringify({ text: "Talk" })
    const response = await fetch(`${url}/v1/conversations/${agent}/main/messages`, { method: "POST", headers, body })
    if (response.status !== 200) throw new Error(`${agent}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
}

function median(/** @type {number[]} */ values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** A model in a process of its own: its CPU time does not count. */
async function startModel() {
  const code = `
    import { createServer } from "node:http"
    const chunk = (delta, finish) => \`data: \${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish ?? null }] })}\\n\\n\`
    createServer((request, response) => {
      request.resume().on("end", async () => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        const begun = Date.now()
        for (let n = 0; n < ${WORDS}; n++) {
          response.write(chunk({ content: \`word\${n} \` }))
          const wait = begun + (n + 1) * ${WORD_MS} - Date.now()
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)))
        }
        response.write(chunk({}, "stop"))
        response.end('data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5}}\\n\\ndata: [DONE]\\n\\n')
      })
    }).listen(0, "127.0.0.1", function () { console.log(this.address().port) })
  `
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] })
  const port = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())))
  return { url: `http://127.0.0.1:${port}/v1`, close: () => child.kill() }
}
