/**
 * A small ACP agent for tests, on the SDK's agent side. It does what the lines of a prompt say, one after another:
 *
 *   say <words>            think <words>          plan <words>             models
 *   write <file> <text>    delete <file>          (directly on disk)
 *   read <file>            put <file> <text>      (through the client)
 *   run <command>          (through a terminal of the client)
 *   ask <title>            asks for permission, and says which option was chosen
 *   wait <file>            until the file exists in its home folder; touches `waiting` there first
 *   hang                   never ends, not even when it is canceled
 *   crash                  ends the process in the middle
 *   daemon                 starts a process that leaves the group
 *   environment            says which variables it has
 *   servers                says which MCP servers its session was given
 *   cost <dollars>         reports what the session has cost so far
 *
 * Sessions are files in its home folder. FAKE_SESSIONS=none: it cannot load them; resume: without a replay.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Readable, Writable } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk"

const HOME = process.env.HOME ?? "."
const KIND = process.env.FAKE_SESSIONS ?? "load"
const WORDS = process.env.FAKE_WORDS === undefined ? undefined : Number(process.env.FAKE_WORDS)
const MODELS = ["small", "large"]
const MODES = ["build", "plan"]

/** @type {Map<string, { cwd: string, model: string, mode: string, said: { who: string, text: string }[], abort: AbortController | undefined }>} */
const sessions = new Map()
/** @type {unknown} */
let servers
const fileOf = (/** @type {string} */ id) => join(HOME, "sessions", `${id}.json`)

if (process.env.FAKE_BROKEN === "start") {
  console.error("fake agent: cannot start")
  process.exit(3)
}
console.log("a line that is no message")

const app = agent({ name: "fake" })
  .onRequest("initialize", () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: {
      loadSession: KIND === "load",
      promptCapabilities: { image: true },
      ...(process.env.FAKE_MCP === "http" ? { mcpCapabilities: { http: true } } : {}),
      sessionCapabilities: KIND === "resume" ? { resume: {} } : {},
    },
    authMethods: [],
  }))
  .onRequest("session/new", ({ params, client }) => {
    const id = `fake_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`
    servers = params.mcpServers
    sessions.set(id, { cwd: params.cwd, model: "small", mode: "build", said: [], abort: undefined })
    save(id)
    setImmediate(() => offerCommands(client, id))
    return { sessionId: id, configOptions: options(id) }
  })
  .onRequest("session/load", async ({ params, client }) => {
    open(params.sessionId)
    servers = params.mcpServers
    for (const { who, text } of sessions.get(params.sessionId)?.said ?? []) {
      const sessionUpdate = who === "user" ? "user_message_chunk" : "agent_message_chunk"
      await client.notify("session/update", {
        sessionId: params.sessionId,
        update: { sessionUpdate, content: { type: "text", text } },
      })
    }
    setImmediate(() => offerCommands(client, params.sessionId))
    return { configOptions: options(params.sessionId) }
  })
  .onRequest("session/resume", ({ params, client }) => {
    open(params.sessionId)
    servers = params.mcpServers
    setImmediate(() => offerCommands(client, params.sessionId))
    return { configOptions: options(params.sessionId) }
  })
  .onRequest("session/set_config_option", ({ params }) => {
    const session = sessions.get(params.sessionId)
    if (session === undefined) throw RequestError.resourceNotFound(params.sessionId)
    if (params.configId === "model") session.model = String(params.value)
    else session.mode = String(params.value)
    return { configOptions: options(params.sessionId) }
  })
  .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId)?.abort?.abort())
  .onRequest("session/prompt", async ({ params, client }) => {
    const session = sessions.get(params.sessionId)
    if (session === undefined) throw RequestError.resourceNotFound(params.sessionId)
    const texts = params.prompt.flatMap((block) => (block.type === "text" ? [block.text] : [`[${block.type}]`]))
    const text = texts.join("\n")
    session.said.push({ who: "user", text })
    save(params.sessionId)
    session.abort = new AbortController()
    const turn = turnOf(params.sessionId, client, session)
    const { signal } = session.abort
    try {
      if (text.includes("You were interrupted")) await turn.say("Continued.")
      else if (WORDS !== undefined) await talk(WORDS, turn)
      // Only the message itself: what comes before it is what the session has to know.
      else for (const line of (texts.at(-1) ?? "").split("\n")) await act(line, turn, signal)
      return {
        stopReason: signal.aborted ? "cancelled" : "end_turn",
        usage: { inputTokens: 7, outputTokens: 5, totalTokens: 12 },
      }
    } catch (error) {
      if (signal.aborted) return { stopReason: "cancelled" }
      throw error
    } finally {
      session.abort = undefined
      save(params.sessionId)
    }
  })

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
process.stdin.on("end", () => process.exit(0))

/** @typedef {ReturnType<typeof turnOf>} Turn */

function turnOf(/** @type {string} */ sessionId, /** @type {any} */ client, /** @type {any} */ session) {
  const notify = (/** @type {object} */ update) => client.notify("session/update", { sessionId, update })
  let calls = 0
  return {
    session,
    client,
    sessionId,
    notify,
    async say(/** @type {string} */ text) {
      session.said.push({ who: "agent", text })
      await notify({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } })
    },
    /** A call around some work. */
    async call(
      /** @type {string} */ title,
      /** @type {string} */ kind,
      /** @type {() => Promise<object> | object} */ work,
    ) {
      const toolCallId = `call_${++calls}`
      await notify({ sessionUpdate: "tool_call", toolCallId, title, kind, status: "in_progress", rawInput: { title } })
      try {
        const done = await work()
        await notify({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", ...done })
      } catch (error) {
        await notify({
          sessionUpdate: "tool_call_update",
          toolCallId,
          status: "failed",
          content: [{ type: "content", content: { type: "text", text: String(error) } }],
        })
      }
    },
  }
}

/** At a constant pace, for measurements. */
async function talk(/** @type {number} */ words, /** @type {Turn} */ turn) {
  const begun = Date.now()
  for (let n = 0; n < words; n++) {
    await turn.say(`word${n} `)
    await pause(Math.max(0, begun + (n + 1) * Number(process.env.FAKE_WORD_MS ?? 0) - Date.now()))
  }
}

async function act(/** @type {string} */ line, /** @type {Turn} */ turn, /** @type {AbortSignal} */ signal) {
  const [verb = "", name = "", ...rest] = line.trim().split(" ")
  const words = [name, ...rest].join(" ")
  const text = rest.join(" ")
  const { session, client, sessionId } = turn
  const path = join(session.cwd, name)
  if (signal.aborted) return
  if (verb === "say") await turn.say(words)
  else if (verb === "think")
    await turn.notify({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: words } })
  else if (verb === "plan")
    await turn.notify({
      sessionUpdate: "plan",
      entries: [{ content: words, priority: "high", status: "in_progress" }],
    })
  else if (verb === "models") await turn.say(`${session.model} ${session.mode}`)
  else if (verb === "write")
    await turn.call(`Write ${name}`, "edit", () => {
      const oldText = existsSync(path) ? readFileSync(path, "utf8") : null
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return { locations: [{ path }], content: [{ type: "diff", path, oldText, newText: text }] }
    })
  else if (verb === "delete")
    await turn.call(`Delete ${name}`, "delete", () => {
      unlinkSync(path)
      return {}
    })
  else if (verb === "read")
    await turn.call(`Read ${name}`, "read", async () => {
      const { content } = await client.request("fs/read_text_file", { sessionId, path })
      return { rawOutput: { content } }
    })
  else if (verb === "put")
    await turn.call(`Put ${name}`, "edit", async () => {
      await client.request("fs/write_text_file", { sessionId, path, content: text })
      return {}
    })
  else if (verb === "run")
    await turn.call(`Run ${words}`, "execute", async () => {
      const terminal = await client.createTerminal({ sessionId, command: "sh", args: ["-c", words] })
      await terminal.waitForExit()
      const { output } = await terminal.currentOutput()
      await terminal.release()
      return { rawOutput: { output } }
    })
  else if (verb === "ask") await ask(words, turn)
  else if (verb === "wait") {
    writeFileSync(join(HOME, "waiting"), name)
    while (!existsSync(join(HOME, name)) && !signal.aborted) await pause(10)
    rmSync(join(HOME, "waiting"), { force: true })
  } else if (verb === "hang") {
    writeFileSync(join(HOME, "waiting"), "hang")
    await new Promise(() => {})
  } else if (verb === "crash") process.kill(process.pid, "SIGKILL")
  else if (verb === "daemon") {
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" })
    child.unref()
    await turn.say(String(child.pid))
  } else if (verb === "servers") await turn.say(JSON.stringify(servers))
  else if (verb === "cost")
    await turn.notify({
      sessionUpdate: "usage_update",
      used: 1,
      size: 100,
      cost: { amount: Number(name), currency: "USD" },
    })
  else if (verb === "environment") await turn.say(Object.keys(process.env).sort().join(" "))
}

async function ask(/** @type {string} */ title, /** @type {Turn} */ { client, sessionId, notify, say }) {
  const toolCallId = `ask_${title.replaceAll(" ", "_")}`
  await notify({
    sessionUpdate: "tool_call",
    toolCallId,
    title,
    kind: "execute",
    status: "pending",
    rawInput: { title },
  })
  const { outcome } = await client.request("session/request_permission", {
    sessionId,
    toolCall: { toolCallId, title },
    options: [
      { optionId: "once", name: "Allow", kind: "allow_once" },
      { optionId: "always", name: "Always allow", kind: "allow_always" },
      { optionId: "no", name: "Deny", kind: "reject_once" },
    ],
  })
  const chosen = outcome.outcome === "selected" ? outcome.optionId : "cancelled"
  await notify({ sessionUpdate: "tool_call_update", toolCallId, status: chosen === "no" ? "failed" : "completed" })
  await say(`chose ${chosen}`)
}

function options(/** @type {string} */ id) {
  const session = sessions.get(id)
  const select = (/** @type {string} */ key, /** @type {string[]} */ values, /** @type {string} */ currentValue) => ({
    id: key,
    name: key,
    category: key,
    type: /** @type {const} */ ("select"),
    currentValue,
    options: values.map((value) => ({ value, name: value.toUpperCase() })),
  })
  return [select("model", MODELS, session?.model ?? ""), select("mode", MODES, session?.mode ?? "")]
}

function offerCommands(/** @type {any} */ client, /** @type {string} */ sessionId) {
  const availableCommands = [{ name: "review", description: "Reviews changes", input: { hint: "what to review" } }]
  void client.notify("session/update", {
    sessionId,
    update: { sessionUpdate: "available_commands_update", availableCommands },
  })
}

function open(/** @type {string} */ id) {
  if (sessions.has(id)) return
  if (!existsSync(fileOf(id))) throw RequestError.resourceNotFound(id)
  sessions.set(id, { ...JSON.parse(readFileSync(fileOf(id), "utf8")), abort: undefined })
}

function save(/** @type {string} */ id) {
  const { abort: _, ...kept } = sessions.get(id) ?? { abort: undefined }
  mkdirSync(dirname(fileOf(id)), { recursive: true })
  writeFileSync(fileOf(id), JSON.stringify(kept))
}
