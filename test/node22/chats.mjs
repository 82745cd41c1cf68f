/**
 * Chats of the AI SDK 7, driven by messages of the parent process.
 *
 *   parent: { id, of, call, args }   "new" creates a chat, everything else is a method of it
 *   here:   { id, error? }             the call has ended
 *           { of, view }             what the chat shows has changed; sent before the end of a call
 */
import "./from-here.mjs"

const { Chat } = await import("../interop/chat.ts")

/** @type {Map<string, { chat: InstanceType<typeof Chat>, sent: string }>} */
const chats = new Map()
const LOOK_EVERY_MS = 10

process.on("message", (message) => void handle(message))
process.on("disconnect", () => process.exit())
setInterval(() => chats.forEach((_, name) => void show(name)), LOOK_EVERY_MS)
process.send?.({ ready: true })

/** @param {any} message */
async function handle({ id, of: name, call, args }) {
  let error
  try {
    if (call === "new") chats.set(name, { chat: new Chat(...args), sent: "" })
    else await chats.get(name)?.chat[call](...args)
  } catch (thrown) {
    error = String(thrown)
  }
  show(name)
  process.send?.({ id, error })
}

/** @param {string} name */
function show(name) {
  const found = chats.get(name)
  if (found === undefined) return
  const { status, messages, bodies, error } = found.chat
  const view = { status, messages, bodies, error: error && { message: error.message } }
  const json = JSON.stringify(view)
  if (json === found.sent) return
  found.sent = json
  process.send?.({ of: name, view })
}
