/** Tool calls as an editor shows them: title, kind, files, result. */
import type { ToolPart } from "@parlor/protocol"
import { callIdOf } from "../call-id.ts"
import { deniedCodes, outcomeUnknown } from "../ui/ui-parts.ts"
import { type AcpDiff, type AcpToolCall, type AcpToolContent, type AcpToolKind, acpText } from "./acp-update.ts"

/** Built-in tools. The names of other tools do not reveal their kind. */
const kinds: ReadonlyMap<string, AcpToolKind> = new Map([
  ["list_files", "read"],
  ["read_file", "read"],
  ["search_files", "search"],
  ["write_file", "edit"],
  ["edit_file", "edit"],
  ["delete_file", "delete"],
  ["move_file", "move"],
  ["recall", "search"],
  ["memory_list", "read"],
  ["memory_read", "read"],
  ["skill_read", "read"],
] as const)

/** Root of a session's file paths. It is separate because these are not files of the editor's folder. */
export type AcpFiles = { readonly root: string }

export function acpCall(
  { message, call, name, input }: { message: string; call: string; name: string; input: ToolPart["input"] },
  files: AcpFiles,
): AcpToolCall & { readonly title: string } {
  const paths = pathsOf(name, input)
  return {
    toolCallId: callIdOf(message, call),
    title: [name, ...paths].join(" "),
    name,
    kind: kinds.get(name) ?? "other",
    status: "pending",
    rawInput: input,
    ...(paths.length === 0 ? {} : { locations: paths.map((path) => ({ path: `${files.root}/${path}` })) }),
  }
}

export type ToolOutcome = Pick<ToolPart, "output" | "error"> & { readonly state: "done" | "failed" | "unknown" }

/** How a call ended. */
export function acpOutcome({
  state,
  output,
  error,
}: ToolOutcome): Pick<AcpToolCall, "status" | "content" | "rawOutput"> {
  if (state === "done")
    return {
      status: "completed",
      content: [textContent(printed(output))],
      ...(output === null ? {} : { rawOutput: output }),
    }
  const reason = error?.detail ?? outcomeUnknown
  const denied = error !== null && deniedCodes.has(error.code)
  return { status: "failed", content: [textContent(denied ? `Denied: ${reason}` : reason)] }
}

/** Diffs derived from a call's input, for calls whose file contents are not available. */
export function diffsInInput(
  { name, input, state }: Pick<ToolPart, "name" | "input" | "state">,
  files: AcpFiles,
): AcpDiff[] {
  if (state !== "done" || !isRecord(input) || typeof input.path !== "string") return []
  const path = `${files.root}/${input.path}`
  if (name === "write_file" && typeof input.content === "string")
    return [{ type: "diff", path, oldText: null, newText: input.content }]
  if (name !== "edit_file" || !Array.isArray(input.edits)) return []
  return input.edits.flatMap((edit): AcpDiff[] =>
    isRecord(edit) && typeof edit.old === "string" && typeof edit.new === "string"
      ? [{ type: "diff", path, oldText: edit.old, newText: edit.new }]
      : [],
  )
}

function pathsOf(name: string, input: ToolPart["input"]): readonly string[] {
  if (!kinds.has(name) || !isRecord(input)) return []
  return [input.path, input.from, input.to].filter((path): path is string => typeof path === "string" && path !== "")
}

function textContent(text: string): AcpToolContent {
  return { type: "content", content: acpText(text) }
}

function printed(output: ToolPart["output"]): string {
  if (typeof output === "string") return output
  return output === null ? "" : JSON.stringify(output, null, 2)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
