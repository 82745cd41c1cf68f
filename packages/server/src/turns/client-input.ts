/** Text and files as other protocols send them, as composer input. Files are stored as the person's attachments. */
import { type Chip, type ComposerInput, printComposer, Refusal } from "@parlor/protocol"
import { sha256 } from "../routes/attachments.ts"
import type { Services } from "../services.ts"

/** `url`: a data: URL, or the path of an attachment. */
type ClientFile = { readonly mediaType: string; readonly name: string; readonly url: string }
export type ClientInput = { readonly text: string; readonly files: readonly ClientFile[] }

export async function composerInputOf(
  services: Services,
  person: string,
  { text, files }: ClientInput,
): Promise<ComposerInput> {
  const chips: Chip[] = text === "" ? [] : [{ kind: "text", raw: text }]
  for (const file of files) chips.push({ kind: "attachment", hash: await hashOfFile(services, person, file) })
  return printComposer(chips)
}

async function hashOfFile({ runtime }: Services, person: string, file: ClientFile): Promise<string> {
  const known = /^\/v1\/attachments\/([0-9a-f]{64})$/.exec(file.url)?.[1]
  if (known !== undefined) return known
  const bytes = bytesOf(file.url)
  const hash = await sha256(bytes)
  return (await runtime.attach(person, { hash, name: file.name, contentType: file.mediaType }, bytes)).hash
}

function bytesOf(url: string): Buffer {
  const comma = url.indexOf(",")
  const content = url.slice(comma + 1)
  if (url.slice(0, comma).endsWith(";base64")) return Buffer.from(content, "base64")
  try {
    return Buffer.from(decodeURIComponent(content))
  } catch {
    throw new Refusal("request.invalid", "The data: URL of a file is not percent-encoded UTF-8.")
  }
}
