/**
 * Parses the request of an AG-UI client: a new message of the person, or answers to interrupts. The client sends the
 * whole thread each time. Parlor already has it, so only its end is read.
 */
import { type AgUiInput, type AgUiInputMessage, type AskRow, branchName, Refusal } from "@parlor/protocol"
import { z } from "zod"
import { AG_UI_VERSION } from "./ag-ui-event.ts"

type AgUiFile = { readonly mediaType: string; readonly name: string; readonly url: string }

export type AgUiAct =
  | { readonly kind: "send"; readonly id: string; readonly text: string; readonly files: readonly AgUiFile[] }
  | { readonly kind: "resume"; readonly entries: NonNullable<AgUiInput["resume"]> }

/** Throws a refusal with a pointer if it is neither. */
export function readAgUiInput(input: AgUiInput): AgUiAct {
  const { protocolVersion, threadId, resume, messages } = input
  if (protocolVersion && protocolVersion.split(".")[0] !== AG_UI_VERSION.split(".")[0])
    throw invalid(`This server speaks AG-UI ${AG_UI_VERSION}, not ${protocolVersion}.`, "/protocolVersion")
  const thread = branchName.safeParse(threadId)
  if (!thread.success) throw invalid(thread.error.issues[0]?.message ?? "The thread id is not valid.", "/threadId")
  if (resume && resume.length > 0) return { kind: "resume", entries: resume }
  const pointer = `/messages/${messages.length - 1}`
  const last = messages.at(-1)
  if (last === undefined) throw invalid("There is no message to send.", "/messages")
  if (last.role === "tool") throw invalid("Tools run on the server; their results cannot be sent.", pointer)
  if (last.role !== "user") throw invalid("The last message is not the user's: there is nothing to send.", pointer)
  return { kind: "send", id: last.id, ...contentOf(last, pointer) }
}

/** Extracts the answer to an ask from the payload of a resume entry. */
export function agUiAnswer({ kind }: Pick<AskRow, "kind">, payload: unknown): unknown {
  const field = kind === "approval" ? "approved" : kind === "question" ? "answer" : undefined
  if (field === undefined || typeof payload !== "object" || payload === null) return payload ?? null
  return (payload as Readonly<Record<string, unknown>>)[field] ?? null
}

function contentOf({ content }: AgUiInputMessage, pointer: string) {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content
  if (!Array.isArray(parts)) throw invalid("A user message needs `content`: text, or an array of parts.", pointer)
  const read = parts.map((part, index) => partOf(part, `${pointer}/content/${index}`))
  const text = read.map((part) => part.text ?? "").join("")
  const files = read.flatMap(({ file }) => (file === undefined ? [] : [file]))
  if (text.trim() === "" && files.length === 0)
    throw invalid("The last message has neither text nor files.", `${pointer}/content`)
  return { text, files }
}

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() })
const filePart = z.looseObject({
  type: z.enum(["image", "audio", "document"]),
  source: z.looseObject({ type: z.enum(["data", "url"]), value: z.string(), mimeType: z.string().optional() }),
  metadata: z.looseObject({ filename: z.string().optional() }).nullish().catch(undefined),
})

function partOf(part: unknown, pointer: string): { readonly text?: string; readonly file?: AgUiFile } {
  const text = textPart.safeParse(part)
  if (text.success) return { text: text.data.text }
  const file = filePart.safeParse(part)
  if (!file.success)
    throw invalid("A part is text, or an image, audio or document with a source of type data or url.", pointer)
  const { type, source, metadata } = file.data
  const name = metadata?.filename ?? type
  const mediaType = source.mimeType ?? mediaTypeIn(source.value)
  if (source.type === "data") return { file: { name, mediaType, url: `data:${mediaType};base64,${source.value}` } }
  if (!source.value.startsWith("data:") && !source.value.startsWith("/v1/attachments/"))
    throw invalid("A file is a data: URL or the path of an attachment.", `${pointer}/source/value`)
  return { file: { name, mediaType, url: source.value } }
}

function mediaTypeIn(url: string): string {
  return /^data:([^;,]{1,127})[;,]/.exec(url)?.[1] ?? "application/octet-stream"
}

function invalid(detail: string, pointer: string): Refusal {
  return new Refusal("request.invalid", detail, pointer)
}
