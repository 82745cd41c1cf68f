/**
 * Parses what `DefaultChatTransport` posts.
 *
 * The transport sends the whole chat each time. Parlor already has it, so only the end is read: a new message of the
 * person, the message to answer again, or answers to approvals. The client may omit everything before it.
 */
import { type MessageRow, Refusal, type UiRequest, type UiRequestMessage } from "@parlor/protocol"
import { z } from "zod"

type UiRequestPart = UiRequestMessage["parts"][number]

type UiFile = { readonly mediaType: string; readonly name: string; readonly url: string }

export type UiAct =
  | {
      readonly kind: "send"
      readonly id: string
      readonly text: string
      readonly files: readonly UiFile[]
      readonly replaces: boolean
    }
  | { readonly kind: "regenerate"; readonly id: string }
  | { readonly kind: "answer"; readonly answers: readonly { readonly ask: string; readonly approved: boolean }[] }

/** The client's request. Throws a refusal with a pointer if it is none of these. */
export function readUiRequest(request: UiRequest): UiAct {
  const index = request.messages.length - 1
  const last = request.messages[index]
  const pointer = `/messages/${index}`
  if (last === undefined || last.role === "system")
    throw new Refusal("request.invalid", "The last message is neither a user's nor an assistant's.", pointer)
  if (last.role === "assistant") return answersIn(last, pointer)
  if (request.trigger === "regenerate-message") return { kind: "regenerate", id: last.id }
  const replaces = request.messageId !== undefined && request.messageId === last.id
  const text = last.parts.map((one) => (one.type === "text" ? textOf(one) : "")).join("")
  const files = last.parts.flatMap((one, place) =>
    one.type === "file" ? [fileOf(one, `${pointer}/parts/${place}`)] : [],
  )
  if (text.trim() === "" && files.length === 0)
    throw new Refusal("request.invalid", "The last message has neither text nor files.", `${pointer}/parts`)
  return { kind: "send", id: last.id, text, files, replaces }
}

/** The id that the client gave its message, stored with the text so that every device shows the same id. */
export function clientIdOf({ composer }: Pick<MessageRow, "composer">): string | undefined {
  const id = (composer as { readonly clientId?: unknown } | null)?.clientId
  return typeof id === "string" ? id : undefined
}

function answersIn(message: UiRequestMessage, pointer: string): UiAct {
  const answers = message.parts.flatMap(({ state, approval: given }) => {
    if (state !== "approval-responded") return []
    const parsed = approval.safeParse(given)
    return parsed.success ? [{ ask: parsed.data.id, approved: parsed.data.approved }] : []
  })
  if (answers.length === 0)
    throw new Refusal(
      "request.invalid",
      "The last message is the assistant's and answers no approval. Tools run on the server; their results cannot be sent.",
      pointer,
    )
  return { kind: "answer", answers }
}

const approval = z.looseObject({ id: z.string(), approved: z.boolean() })

function textOf({ text }: UiRequestPart): string {
  return typeof text === "string" ? text : ""
}

function fileOf(one: UiRequestPart, pointer: string): UiFile {
  const parsed = filePart.safeParse(one)
  if (!parsed.success) throw new Refusal("request.invalid", "A file needs `mediaType` and `url`.", pointer)
  const { mediaType, filename, url } = parsed.data
  if (!url.startsWith("data:") && !url.startsWith("/v1/attachments/"))
    throw new Refusal("request.invalid", "A file is a data: URL or the path of an attachment.", `${pointer}/url`)
  return { mediaType, name: filename ?? "attachment", url }
}

const filePart = z.looseObject({ mediaType: z.string(), filename: z.string().optional(), url: z.string() })
