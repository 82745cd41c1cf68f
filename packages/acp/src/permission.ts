/** A permission request as a question to the person, and the answer to it (HST-4). Pure. */
import type {
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk"
import type { HarnessAsk } from "@parlor/core"

const MAX_DETAIL = 8_000
const MAX_TITLE = 300
const MAX_OPTIONS = 12
const MAX_NAME = 100

export function askOf({ toolCall, options }: RequestPermissionRequest): HarnessAsk {
  return {
    call: toolCall.toolCallId,
    title: (toolCall.title ?? toolCall.kind ?? "Continue").slice(0, MAX_TITLE),
    detail: detailOf(toolCall),
    options: options.slice(0, MAX_OPTIONS).map(({ optionId, name, kind }) => ({
      id: optionId,
      name: name.slice(0, MAX_NAME),
      means: MEANINGS[kind] ?? "deny",
    })),
  }
}

export function responseTo(option: string | undefined): RequestPermissionResponse {
  if (option === undefined) return { outcome: { outcome: "cancelled" } }
  return { outcome: { outcome: "selected", optionId: option } }
}

const MEANINGS: Readonly<Record<PermissionOptionKind, HarnessAsk["options"][number]["means"]>> = {
  allow_once: "allow",
  allow_always: "allow-always",
  reject_once: "deny",
  reject_always: "deny-always",
}

function detailOf({ rawInput, content, locations }: RequestPermissionRequest["toolCall"]): string {
  const shown = (content ?? []).flatMap((one): string[] => {
    if (one.type === "diff") return [`${one.path}\n${one.newText}`]
    return one.type === "content" && one.content.type === "text" ? [one.content.text] : []
  })
  const input = rawInput === undefined || rawInput === null ? "" : JSON.stringify(rawInput, null, 2)
  const places = (locations ?? []).map(({ path }) => path).join("\n")
  return [input, ...shown, places]
    .filter((text) => text !== "" && text !== "{}")
    .join("\n\n")
    .slice(0, MAX_DETAIL)
}
