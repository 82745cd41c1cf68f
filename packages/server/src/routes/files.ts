import { Refusal } from "@parlor/protocol"
import { mediaTypeOf } from "../http/media-type.ts"
import type { Call, Services } from "../services.ts"
import { addressOf } from "./conversations.ts"

export const handlers = { listFiles, readFile, writeFile, removeFile, listChanges, readOutput }

async function listFiles({ runtime }: Services, call: Call<"listFiles">) {
  return { files: [...(await runtime.files(addressOf(call), { at: call.query.at }))] }
}

async function readFile({ runtime }: Services, call: Call<"readFile">) {
  const { path } = call.params
  const { at, before, after } = call.query
  const { content, hash } = await runtime.readFile(addressOf(call), path, { at, before, after })
  return { bytes: content, mediaType: mediaTypeOf(path, content), name: path.split("/").at(-1) ?? path, etag: hash }
}

async function writeFile({ runtime }: Services, call: Call<"writeFile">) {
  const file = await runtime.writeFile(addressOf(call), call.params.path, call.bytes, {
    ...seen(call),
    txid: call.txid,
  })
  return { file }
}

async function removeFile({ runtime }: Services, call: Call<"removeFile">) {
  await runtime.removeFile(addressOf(call), call.params.path, { ...seen(call), txid: call.txid })
}

async function listChanges({ runtime }: Services, call: Call<"listChanges">) {
  const { turn, path, cursor, limit } = call.query
  const page = await runtime.fileChanges(addressOf(call), { turn, path, cursor, limit })
  return { changes: [...page.changes], cursor: page.cursor }
}

async function readOutput({ runtime }: Services, call: Call<"readOutput">) {
  const { message, call: name } = call.params
  const { picture } = call.query
  if (picture !== undefined) {
    const found = await runtime.readPicture(addressOf(call), { message, call: name, index: picture })
    return { ...found, name: `${name}-${picture}` }
  }
  const bytes = await runtime.readOutput(addressOf(call), message, name)
  return { bytes, mediaType: "text/plain; charset=utf-8", name: `${name}.txt` }
}

/** The version that the caller has seen, from the conditional headers. */
function seen(call: { header(name: string): string | undefined }): { readonly was?: string | null } {
  const match = call.header("if-match")
  const none = call.header("if-none-match")
  if (match === undefined && none === undefined) return {}
  if (match === undefined && none === "*") return { was: null }
  const hash = /^"([0-9a-f]{64})"$/.exec(match ?? "")?.[1]
  if (none === undefined && (match === "*" || hash !== undefined)) return { was: hash ?? "*" }
  throw new Refusal(
    "request.invalid",
    'Use If-Match: "<hash>" for one version, If-Match: * for any version, or If-None-Match: * for a new file.',
    match === undefined ? "If-None-Match" : "If-Match",
  )
}
