import { limits, Refusal } from "@parlor/protocol"
import { checkShape, decodeText } from "../http/json.ts"
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { exportConversation, importConversation }

async function exportConversation({ runtime }: Services, call: Call<"exportConversation">) {
  await runtime.conversation(addressOf(call))
  return runtime.exportLines(addressOf(call))
}

async function importConversation({ runtime }: Services, call: Call<"importConversation">) {
  const { agent, branch } = call.query
  const address = { agent, branch, person: call.caller.person }
  const { messages } = await runtime.importLines(address, linesOf(decodeText(call.bytes)), call.txid)
  return { agent, branch, messages }
}

function* linesOf(text: string): Generator<string> {
  let start = 0
  let count = 0
  while (start < text.length) {
    const end = text.indexOf("\n", start)
    const line = text.slice(start, end === -1 ? text.length : end)
    count += 1
    if (line.length > limits.importLineBytes || count > limits.importLines)
      throw new Refusal("import.invalid", `Line ${count} is past the limit of length or number.`, `/${count - 1}`)
    checkShape(line, limits.importDepth, `/${count - 1}`)
    yield line
    if (end === -1) return
    start = end + 1
  }
}
